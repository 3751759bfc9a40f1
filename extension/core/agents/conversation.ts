import type { LanguageModel, ModelMessage } from './language-model.ts';

/** Part of the model's window that the conversation may fill; the rest is for tool declarations and for the answer. */
const share = 0.85;
const dropped = '[The output of this earlier call was dropped to make room; call the tool again if it is still needed]';

/**
 * The conversation as it fits into the model's window: the outputs of the oldest tool calls give way first, then nothing else does (the system
 * layers, the ticket and the model's own words stay). Counts with the model's own counter; returns what it counted.
 */
export async function fitConversation(messages: readonly ModelMessage[], model: LanguageModel): Promise<{ messages: ModelMessage[]; tokens: number }> {
  const counts = await Promise.all(messages.map((message) => model.countTokens(textOf(message))));
  let tokens = counts.reduce((sum, one) => sum + one, 0);
  const fitted = [...messages];
  for (let i = 0; i < fitted.length - 1 && tokens > model.maxInputTokens * share; i++) {
    const message = fitted[i];
    if (message?.role !== 'tool') continue;
    const shorter: ModelMessage = { role: 'tool', results: message.results.map((result) => ({ ...result, text: result.text.length > dropped.length ? dropped : result.text })) };
    fitted[i] = shorter;
    tokens += (await model.countTokens(textOf(shorter))) - (counts[i] ?? 0);
  }
  return { messages: fitted, tokens };
}

function textOf(message: ModelMessage): string {
  if (message.role === 'tool') return message.results.map((result) => result.text).join('\n');
  return message.role === 'assistant' ? message.text + JSON.stringify(message.calls) : message.text;
}
