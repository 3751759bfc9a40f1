import * as vscode from 'vscode';
import type { LanguageModel, ModelFailureReason, ModelMessage, ModelPart, ModelTool } from '../core/agents/language-model.ts';
import { Failure, messageOf } from '../core/base/failure.ts';
import { followSignal } from './cancellation.ts';

const JUSTIFICATION = 'Casebook asks the model to investigate a ticket.';

/** The models that the editor offers right now, in its order. Asks nobody: the editor's own consent comes with the first request. */
export async function languageModels(): Promise<LanguageModel[]> {
  return (await vscode.lm.selectChatModels()).map(adaptModel);
}

/** One of the editor's models as the core's tool loop sees it. */
export function adaptModel(model: vscode.LanguageModelChat): LanguageModel {
  return {
    id: model.id,
    vendor: model.vendor,
    family: model.family,
    maxInputTokens: model.maxInputTokens,
    send: (messages, tools, signal) => send(model, messages, tools, signal),
    countTokens: async (text) => model.countTokens(text),
  };
}

async function* send(model: vscode.LanguageModelChat, messages: readonly ModelMessage[], tools: readonly ModelTool[], signal: AbortSignal): AsyncGenerator<ModelPart> {
  signal.throwIfAborted();
  const cancellation = followSignal(new vscode.CancellationTokenSource(), signal);
  let called = false;
  try {
    const response = await model.sendRequest(messages.map(toMessage), { justification: JUSTIFICATION, tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) }, cancellation.source.token);
    for await (const part of response.stream) {
      signal.throwIfAborted();
      if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart) {
        called = true;
        yield { type: 'toolCall', id: part.callId, name: part.name, input: part.input };
      }
      // Parts of kinds that this API version does not name (thinking, data) are not needed for the work.
    }
    signal.throwIfAborted();
    yield { type: 'finish', reason: called ? 'tool_calls' : 'stop' };
  } catch (error) {
    signal.throwIfAborted();
    throw toFailure(error);
  } finally {
    cancellation.dispose();
  }
}

/** The API knows no system role, so those layers go as the first messages of the user. */
function toMessage(message: ModelMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'assistant': {
      const calls = message.calls.map((call) => new vscode.LanguageModelToolCallPart(call.id, call.name, asObject(call.input)));
      return vscode.LanguageModelChatMessage.Assistant(message.text === '' ? calls : [new vscode.LanguageModelTextPart(message.text), ...calls]);
    }
    case 'tool':
      return vscode.LanguageModelChatMessage.User(message.results.map((result) => new vscode.LanguageModelToolResultPart(result.id, [new vscode.LanguageModelTextPart(result.text)])));
    default:
      return vscode.LanguageModelChatMessage.User(message.text);
  }
}

function asObject(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : { input };
}

/** The editor's errors as reasons. `Blocked` covers both content filters and quotas; the service's own words tell them apart. */
function toFailure(error: unknown): Failure<ModelFailureReason> {
  return new Failure<ModelFailureReason>(reasonOf(error), messageOf(error), { cause: error });
}

function reasonOf(error: unknown): ModelFailureReason {
  const words = messageOf(error);
  if (error instanceof vscode.LanguageModelError) {
    if (error.code === vscode.LanguageModelError.NotFound.name) return 'no_model';
    if (error.code === vscode.LanguageModelError.NoPermissions.name) return 'not_consented';
    if (error.code === vscode.LanguageModelError.Blocked.name) return /quota|rate.?limit|too many/i.test(words) ? 'rate_limited' : 'refused';
  }
  if (/rate.?limit|too many requests|\b429\b|quota/i.test(words)) return 'rate_limited';
  if (/not signed in|sign in|unauthorized|\b401\b/i.test(words)) return 'not_signed_in';
  if (/ENOTFOUND|ECONN|ETIMEDOUT|fetch failed|network|offline/i.test(words)) return 'network';
  return 'crashed';
}
