import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agentPath } from '../agents/install.mjs';
import { FakeAnthropic, type FakeReply, type MainRequest } from '../fixtures/fake-anthropic.ts';
import { CasePanelPage, investigateFile } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';
const line = 61;

/** An investigator by script: reads the file through Claude Code's own tool (unless withheld), asks, and quotes what the tool's answer held. */
function investigator(file: string, path: string, withhold: boolean): (request: MainRequest, turn: number) => FakeReply {
  return (request) => {
    const texts = request.results.map((result) => result.text);
    const tool = (name: string, input: unknown): FakeReply => ({ blocks: [{ tool: `mcp__casebook__${name}`, input }] });
    const steps: FakeReply[] = [
      tool('report', { markdown: '# Launch refused\n\nLooking for the place where the code is compared.' }),
      ...(withhold ? [] : [{ blocks: [{ tool: 'Read', input: { file_path: path } }] }]),
      tool('ask_user', { questions: [{ question: 'Which code did the customer type?', options: [{ label: 'The old one' }, { label: 'The new one' }], multiSelect: false }] }),
    ];
    const next = steps[texts.length];
    if (next) return next;
    if (texts.length > steps.length + 2) return { blocks: [{ text: 'I have nothing to add.' }] };
    const quote = /const launchCode = 'NONCE-[0-9a-f]{16}';/.exec(texts.join('\n'))?.[0] ?? "const launchCode = 'made up';";
    return tool('submit', {
      classification: 'bug', bugConfirmation: 'confirmed', confidence: 'high',
      summary: 'The launch code is compared with a constant that was never updated.',
      explanationForSupport: "The start is refused because the program still expects last year's code. Nothing is wrong with what was typed.",
      proposedCustomerReply: 'Thank you for the report. We have found where the start is refused and are looking at how it can be put right.',
      suggestedNextStep: 'Read the code from the configuration.',
      evidence: [{ file, line, quote, note: 'The constant' }],
    });
  };
}

describe('a ticket investigated with the Claude Code CLI', () => {
  let session: Session | undefined;
  let server: FakeAnthropic | undefined;
  let folder = '';

  afterEach(async () => {
    const left = await session?.stop();
    await server?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  async function investigate(name: string, withhold: boolean): Promise<{ session: Session; panel: CasePanelPage; nonce: string }> {
    const nonce = `NONCE-${randomBytes(8).toString('hex')}`;
    folder = await makeRepository('rocket', {
      'src/settings.ts': `${filler(60, 'setting')}const launchCode = '${nonce}';\n${filler(60, 'other')}`,
      'src/start.ts': filler(40, 'start'),
      'tickets/launch.md': `---\nid: OPS-7\ntitle: ${title}\n---\n\nSince this morning every start is refused.\n`,
    });
    server = new FakeAnthropic(investigator(`${basename(folder)}/src/settings.ts`, join(folder, 'src/settings.ts'), withhold));
    const url = await server.start();
    session = await Session.start({
      name,
      extensions: [vsix],
      folder,
      settings: { 'casebook.engine': 'claude', 'casebook.claude.path': agentPath('claude') },
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-ant-test-dummy' },
    });
    const panel = new CasePanelPage(session.workbench, title.slice(0, 20));
    await session.step('start', async ({ workbench }) => {
      await investigateFile(workbench, join(folder, 'tickets/launch.md'));
      await workbench.dialog().waitFor();
      await workbench.press('Allow for This Workspace');
      await panel.show();
      await panel.answer('The old one');
      await panel.part('verdict');
      await panel.part('evidence');
    });
    return { session, panel, nonce };
  }

  it('quotes what only a tool could read, after its question was answered', async () => {
    const run = await investigate('claude', false);
    await run.session.step('verdict', async () => {
      const verified = run.panel.citations().filter({ hasText: run.nonce });
      await verified.waitFor();
      expect(await verified.innerText()).toMatch(/verified/i);
      expect(await run.panel.chips().innerText()).toMatch(/Proof holds/);
    });
  });

  it('proves nothing when the tool call is withheld', async () => {
    const run = await investigate('claude-withheld', true);
    await run.session.step('verdict', async () => {
      // What really stands there is shown beside the made-up quote; it is no proof.
      expect(await run.panel.citations().filter({ hasText: /Verified/ }).count()).toBe(0);
      expect(await run.panel.chips().innerText()).toMatch(/Proof does not hold/);
    });
  });
});
