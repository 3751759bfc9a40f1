import type { PanelPart, ToPanel } from '../../extension/shared/protocol.ts';
import { isRecord, parseReply } from '../shared/parse.ts';

const parts: readonly PanelPart[] = ['verdict', 'steps', 'evidence', 'report', 'reply', 'questions'];

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
