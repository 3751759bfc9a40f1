import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeGemini, type GeminiRequest } from '../fixtures/fake-gemini.ts';
import { type ChatRequest, FakeOpenAi } from '../fixtures/fake-openai.ts';
import { FakeResponses } from '../fixtures/fake-responses.ts';
import { agentPath, agents, cacheFolder } from './install.mjs';
import type { Terminal } from './terminal.ts';

/** A scripted model: it makes its calls one after the other, the last of them a change of `a.txt`, and is done when it hears of that. */
interface Model {
  start(): Promise<string>;
  stop(): Promise<void>;
  /** Bodies of the requests that belong to the conversation, as text, oldest first. */
  told(): string[];
  /** The first of them that tells what became of the last call. */
  toldOfChange(): string | undefined;
}

export interface Place {
  home: string;
  workspace: string;
}

/** How a client is started as its user would start it, without an account and without a network. */
export interface AgentSpec {
  name: keyof typeof agents;
  /** As the link knows it. */
  client: string;
  version: string;
  dialect: string;
  model(place: Place, proposed: string): Model;
  /** Puts its settings in place. */
  settings(place: Place, url: string): Promise<{ command: string; env: Record<string, string> }>;
  /** What its screen shows when it takes a prompt. */
  ready: RegExp;
  /** What has to be said to it before the first prompt. */
  begin?(terminal: Terminal): Promise<void>;
}

/** One that proposes changes. */
export interface ProposingAgent extends AgentSpec {
  /** What its screen shows beside an open diff, and the keys for yes and no. */
  asks: RegExp;
  yes: string;
  no: string;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Where this machine is a container, both take the host's address for the editor's; they are told that the editor is in here too. */
const inside = { REMOTE_CONTAINERS: 'true', NO_BROWSER: '1' };

interface Call {
  name: string;
  arguments: unknown;
}

function chat(calls: (place: Place, proposed: string) => readonly Call[]): AgentSpec['model'] {
  return (place, proposed) => {
    const planned = calls(place, proposed);
    const made = (request: ChatRequest): number => request.messages.filter(({ role }) => role === 'tool').length;
    const model = new FakeOpenAi((request) => {
      // Titles and suggestions are asked for without tools.
      const next = (request.tools ?? []).length === 0 ? undefined : planned[made(request)];
      return next === undefined ? { text: 'All done here.' } : { calls: [next] };
    });
    const told = (): ChatRequest[] => model.requests.filter((request) => (request.tools ?? []).length > 0);
    const change = (): ChatRequest | undefined => told().find((request) => made(request) >= planned.length);
    return { start: () => model.start(), stop: () => model.stop(), told: () => told().map(({ messages }) => json(messages)), toldOfChange: () => textOf(change()?.messages) };
  };
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : json(value));

export const gemini: ProposingAgent = {
  name: 'gemini',
  client: 'gemini-cli',
  version: agents.gemini.version,
  dialect: 'gemini',
  model({ workspace }, proposed) {
    const knows = ({ contents }: GeminiRequest): boolean => contents.some(({ parts }) => parts.some(({ functionResponse }) => functionResponse !== undefined));
    const model = new FakeGemini((request) => (knows(request) ? { text: 'All done here.' } : { call: 'write_file', args: { file_path: join(workspace, 'a.txt'), content: proposed } }));
    return { start: () => model.start(), stop: () => model.stop(), told: () => model.requests.map((request) => json(request.contents)), toldOfChange: () => textOf(model.requests.find(knows)?.contents) };
  },
  async settings({ home, workspace }, url) {
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), json({ ide: { enabled: true, hasSeenNudge: true }, security: { auth: { selectedType: 'gemini-api-key' } }, general: { disableAutoUpdate: true, enableAutoUpdate: false }, telemetry: { enabled: false }, privacy: { usageStatisticsEnabled: false }, ui: { theme: 'Default' } }));
    await writeFile(join(home, '.gemini', 'trustedFolders.json'), json({ [workspace]: 'TRUST_FOLDER' }));
    return { command: `'${agentPath('gemini')}' -m gemini-2.5-pro`, env: { ...inside, GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url } };
  },
  ready: /Type your message/u,
  asks: /Apply this change\?/u,
  yes: 'Enter',
  no: 'Escape',
};

export const qwen: ProposingAgent = {
  name: 'qwen',
  client: 'qwen-code',
  // It does not tell its own.
  version: '1.0.0',
  dialect: 'qwen',
  // It writes over nothing that it has not read.
  model: chat(({ workspace }, proposed) => [
    { name: 'read_file', arguments: { file_path: join(workspace, 'a.txt') } },
    { name: 'write_file', arguments: { file_path: join(workspace, 'a.txt'), content: proposed } },
  ]),
  async settings({ home, workspace }, url) {
    await mkdir(join(home, '.qwen'), { recursive: true });
    await writeFile(join(home, '.qwen', 'settings.json'), json({ ide: { enabled: true, hasSeenNudge: true }, security: { auth: { selectedType: 'openai' } }, general: { disableAutoUpdate: true, enableAutoUpdate: false }, telemetry: { enabled: false }, privacy: { usageStatisticsEnabled: false }, ui: { theme: 'Default' } }));
    await writeFile(join(home, '.qwen', 'trustedFolders.json'), json({ [workspace]: 'TRUST_FOLDER' }));
    return { command: `'${agentPath('qwen')}' -m fake-model --approval-mode default`, env: { ...inside, TERM_PROGRAM: 'vscode', OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: url, OPENAI_MODEL: 'fake-model' } };
  },
  ready: /Type your message/u,
  asks: /Apply this change\?/u,
  yes: 'Enter',
  no: 'Escape',
};

export const copilot: ProposingAgent = {
  name: 'copilot',
  client: 'copilot-cli',
  version: agents.copilot.version,
  dialect: 'copilot',
  model: chat(({ workspace }) => [{ name: 'edit', arguments: { path: join(workspace, 'a.txt'), old_str: 'line two', new_str: 'line 2' } }]),
  async settings({ home, workspace }, url) {
    await mkdir(join(home, '.copilot'), { recursive: true });
    await writeFile(join(home, '.copilot', 'config.json'), json({ trusted_folders: [workspace], banner: 'never' }));
    // It unpacks itself there, a quarter of a gigabyte, when it is not there yet.
    const unpacked = join(cacheFolder(), 'agents', 'copilot-unpacked');
    return { command: `'${agentPath('copilot')}' --no-auto-update`, env: { COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_API_KEY: 'dummy', COPILOT_PROVIDER_TYPE: 'openai', COPILOT_MODEL: 'fake-model', COPILOT_OFFLINE: 'true', XDG_CACHE_HOME: unpacked } };
  },
  ready: /\? help/u,
  asks: /Do you want to edit/u,
  yes: 'Enter',
  no: 'Escape',
};

export const codex: AgentSpec = {
  name: 'codex',
  client: 'codex-tui',
  version: 'unknown',
  dialect: 'codex',
  model() {
    const model = new FakeResponses();
    return { start: () => model.start(), stop: () => model.stop(), told: () => model.requests, toldOfChange: () => undefined };
  },
  async settings({ home, workspace }, url) {
    await mkdir(join(home, '.codex'), { recursive: true });
    const lines = ['model = "gpt-6-sol"', 'model_provider = "fake"', 'check_for_update_on_startup = false', '[model_providers.fake]', 'name = "Fake"', `base_url = "${url}"`, 'wire_api = "responses"', 'env_key = "FAKE_KEY"', 'request_max_retries = 0', 'stream_max_retries = 0', `[projects."${workspace}"]`, 'trust_level = "trusted"', '[analytics]', 'enabled = false'];
    await writeFile(join(home, '.codex', 'config.toml'), `${lines.join('\n')}\n`);
    return { command: `'${agentPath('codex')}' --no-daemon -a on-request -s read-only`, env: { FAKE_KEY: 'dummy' } };
  },
  ready: /Ask Codex to do anything/u,
  async begin(terminal) {
    await terminal.type('/ide on');
    await terminal.shows(/\/ide/u);
    await terminal.press('Enter');
    await terminal.shows(/IDE context is on/u);
  },
};

export const opencode: AgentSpec = {
  name: 'opencode',
  client: 'opencode',
  version: '0.0.0',
  dialect: 'opencode',
  model: chat(({ workspace }) => [{ name: 'read', arguments: { filePath: join(workspace, 'a.txt') } }]),
  async settings({ home }, url) {
    await mkdir(join(home, '.config', 'opencode'), { recursive: true });
    await writeFile(join(home, '.config', 'opencode', 'opencode.json'), json({ autoupdate: false, share: 'disabled', model: 'fake/fake-model', provider: { fake: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options: { baseURL: url, apiKey: 'dummy' }, models: { 'fake-model': { name: 'Fake' } } } } }));
    return { command: `'${agentPath('opencode')}'`, env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_PURE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' } };
  },
  ready: /ctrl\+p commands/u,
};
