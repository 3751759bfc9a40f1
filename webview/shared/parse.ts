import type { PanelReply } from '../../extension/shared/panel-messages.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The host's answer to a request, or undefined when it is none. */
export function parseReply(data: Record<string, unknown>): PanelReply | undefined {
  if (typeof data['id'] !== 'number') return undefined;
  if (data['ok'] === true) return { type: 'reply', id: data['id'], ok: true, value: data['value'] };
  return { type: 'reply', id: data['id'], ok: false, message: typeof data['message'] === 'string' ? data['message'] : 'The request failed.' };
}
