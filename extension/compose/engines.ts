import { join } from 'node:path';
import type { EnginePort, RunRequest } from '../core/agents/engine.ts';
import { ClaudeEngine } from '../core/agents/engines/claude/engine.ts';
import { OpenAiCompatibleEngine } from '../core/agents/engines/openai-compatible/engine.ts';
import { ReplayEngine } from '../core/agents/engines/replay/engine.ts';
import { ScoutEngine, type ScoutMaterial } from '../core/agents/engines/scout/engine.ts';
import { VscodeLmEngine } from '../core/agents/engines/vscode-lm/engine.ts';
import { deskTools } from '../core/agents/tools/desk-tools.ts';
import type { Processes } from '../core/base/process.ts';
import type { AnyEvent, Journal } from '../core/journal/port.ts';
import type { DeskTool } from '../core/mcp/tool.ts';
import type { Git } from '../core/repo/git.ts';
import type { CorePorts } from './ports.ts';

/** The engines of this host, in the order in which `auto` tries them. */
export function createEngines(ports: CorePorts, deps: { journal: Journal; processes: Processes; git: Git; ripgrep: () => string | undefined; mask: (text: string) => { text: string; count: number } }, material: ScoutMaterial): EnginePort[] {
  const { languageModels } = ports;
  const readTools = (request: RunRequest): readonly DeskTool[] => {
    const own = deskTools({ roots: request.folders, git: deps.git, processes: deps.processes, env: ports.env, ripgrep: deps.ripgrep(), mask: deps.mask });
    return [...own, ...(ports.hostTools ?? [])].filter((tool) => request.tools.includes(tool.name));
  };
  return [
    ...(languageModels === undefined ? [] : [new VscodeLmEngine({ models: (signal) => languageModels(signal), readTools })]),
    new ClaudeEngine({
      processes: deps.processes,
      logger: ports.logger.child('claude'),
      version: ports.version,
      path: () => ports.claudePath(),
      env: () => ports.env,
      deskCommand: { command: ports.node.command, args: [join(ports.dist, 'cli.js'), 'mcp-desk'], env: ports.node.env },
      readTools,
      sandbox: true,
    }),
    new OpenAiCompatibleEngine({ baseUrl: () => ports.openaiCompatible.baseUrl(), model: () => ports.openaiCompatible.model(), secret: () => ports.openaiCompatible.key(), readTools }),
    new ScoutEngine(material),
    new ReplayEngine((request) => recordedRun(deps.journal, request)),
  ];
}

/** Those behind which a model stands, for verbs that a search by rules or a recording cannot do; built on first use. */
export function modelEngines(engines: (material: ScoutMaterial) => readonly EnginePort[]): () => readonly EnginePort[] {
  let built: readonly EnginePort[] | undefined;
  return () => (built ??= engines(async () => undefined).filter((engine) => engine.name !== 'scout' && engine.name !== 'replay'));
}

/** The events of the run that a request names in `resume`; none when it names none, which the engine reports as an empty recording. */
async function* recordedRun(journal: Journal, request: RunRequest): AsyncGenerator<AnyEvent> {
  if (request.resume === undefined) return;
  for await (const item of journal.read({ run: request.resume })) if (!('gap' in item)) yield item;
}
