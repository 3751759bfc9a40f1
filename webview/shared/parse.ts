import type { PanelPart, ToPanel } from '../../extension/shared/protocol.ts';

const parts: readonly PanelPart[] = ['verdict', 'steps', 'evidence', 'report', 'reply', 'questions'];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes a window message for what the host may send, or gives undefined. The host is ours and typed, so only the envelope and the
 * members that rendering cannot do without are checked; what else posts into a webview (browser tools, VS Code itself) is ignored.
 */
export function parseToPanel(data: unknown): ToPanel | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['type']) {
    case 'case':
      return isCase(data) ? (data as unknown as ToPanel) : undefined;
    case 'empty':
      return typeof data['why'] === 'string' ? { type: 'empty', why: data['why'] } : undefined;
    case 'reply':
      return parseReply(data);
    case 'reveal':
      return parts.includes(data['part'] as PanelPart) ? { type: 'reveal', part: data['part'] as PanelPart } : undefined;
    default:
      return undefined;
  }
}

function isCase(data: Record<string, unknown>): boolean {
  const state = data['state'];
  if (!isRecord(state) || !isRecord(data['settings'])) return false;
  const lists = ['runs', 'citations', 'questions', 'gates', 'treeChanges', 'revisions'];
  return typeof state['id'] === 'string' && isRecord(state['ticket']) && isRecord(state['snapshot']) && lists.every((name) => Array.isArray(state[name]));
}

function parseReply(data: Record<string, unknown>): ToPanel | undefined {
  if (typeof data['id'] !== 'number') return undefined;
  if (data['ok'] === true) return { type: 'reply', id: data['id'], ok: true, value: data['value'] };
  return { type: 'reply', id: data['id'], ok: false, message: typeof data['message'] === 'string' ? data['message'] : 'The request failed.' };
}
