import type { DeskTool } from '../../../mcp/tool.ts';
import { Failure, isFailure, messageOf } from '../../../base/failure.ts';
import { DeskSession } from '../../desk-session.ts';
import type { EngineCapabilities, EnginePort, EngineStatus, RunEvent, RunRequest } from '../../engine.ts';
import type { LanguageModel, ModelFailureReason } from '../../language-model.ts';
import { RunGuard } from '../../limits.ts';
import { type Ended, type RunStep, withOneEnd } from '../../run-events.ts';
import { runToolLoop } from '../../tool-loop.ts';

export interface VscodeLmOptions {
  /** The models that VS Code offers right now, best first; asks for nobody's consent. Empty where there are none. */
  models: (signal: AbortSignal) => Promise<readonly LanguageModel[]>;
  /** The granted read tools of a run, bound to its folders and snapshot. */
  readTools: (request: RunRequest) => readonly DeskTool[];
}

/** VS Code's Language Model API with Casebook's own read-only tool loop. The models and their consent dialogues are VS Code's. */
export class VscodeLmEngine implements EnginePort {
  readonly name = 'vscode-lm';
  /** The loop is ours, so tools are limited by construction: there is no tool that writes. */
  readonly capabilities: EngineCapabilities = {
    toolLimits: true,
    sandbox: false,
    schemaOutput: false,
    writeApproval: true,
    resume: false,
    cost: false,
    tokens: false,
    leavesMachine: true,
  };

  constructor(private readonly options: VscodeLmOptions) {}

  async probe(signal: AbortSignal): Promise<EngineStatus> {
    try {
      const models = await this.options.models(signal);
      const first = models[0];
      if (!first) return { usable: false, reason: 'no_model', message: 'VS Code offers no language model; sign in to a provider such as GitHub Copilot' };
      return { usable: true, label: `VS Code language model ${first.id}`, models: models.map((model) => model.id), destination: `${first.vendor} (through VS Code)` };
    } catch (error) {
      return { usable: false, reason: isFailure<ModelFailureReason>(error) ? error.reason : 'no_model', message: messageOf(error) };
    }
  }

  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    const guard = new RunGuard(request.limits, signal);
    return withOneEnd(guard, this.run(request, guard));
  }

  private async *run(request: RunRequest, guard: RunGuard): AsyncGenerator<RunStep, Ended> {
    const models = await this.options.models(guard.signal);
    const model = pick(models, request.model);
    yield { type: 'note', level: 'info', text: `Model ${model.id} (${model.vendor}); VS Code reports no token counts, so they are counted by Casebook` };
    return yield* runToolLoop({ model, request, guard, session: new DeskSession(request.desk, guard), readTools: this.options.readTools(request), priced: false });
  }
}

function pick(models: readonly LanguageModel[], wanted: string | undefined): LanguageModel {
  const model = wanted === undefined ? models[0] : models.find((one) => one.id === wanted || one.family === wanted);
  if (model) return model;
  const offered = models.map((one) => one.id).join(', ') || 'none';
  throw new Failure<ModelFailureReason>('no_model', wanted === undefined ? 'VS Code offers no language model' : `VS Code offers no model "${wanted}"; it offers: ${offered}`);
}
