import type { ToReview } from '../../extension/shared/review-protocol.ts';
import { isRecord, parseReply } from '../shared/parse.ts';

/**
 * Takes a window message for what the host may send, or gives undefined. The host is ours and typed, so only the envelope and the
 * members that rendering cannot do without are checked; what else posts into a webview is ignored.
 */
export function parseToReview(data: unknown): ToReview | undefined {
  if (!isRecord(data)) return undefined;
  switch (data['type']) {
    case 'set':
      return isSet(data) ? (data as unknown as ToReview) : undefined;
    case 'empty':
      return typeof data['why'] === 'string' ? { type: 'empty', why: data['why'] } : undefined;
    case 'reply':
      return parseReply(data);
    case 'reveal':
      return typeof data['file'] === 'string' ? { type: 'reveal', file: data['file'], ...(typeof data['hunk'] === 'string' ? { hunk: data['hunk'] } : {}) } : undefined;
    default:
      return undefined;
  }
}

function isSet(data: Record<string, unknown>): boolean {
  const state = data['state'];
  if (!isRecord(state) || !isRecord(data['settings']) || !Array.isArray(data['citations'])) return false;
  return typeof state['id'] === 'string' && typeof state['revision'] === 'number' && isRecord(state['origin']) && isRecord(state['caller']) && Array.isArray(state['files']) && Array.isArray(state['comments']);
}
