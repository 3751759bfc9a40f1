import type { z } from 'zod';
import type { eventKinds } from '../../../extension/core/journal/kinds/index.ts';

/** A minimal valid body of `case.opened`. */
export function opened(title: string, description = 'It does not work'): z.input<(typeof eventKinds)['case.opened']> {
  return {
    title,
    folder: '/tmp/case',
    snapshot: { takenAt: '2026-01-01T00:00:00.000Z', roots: [] },
    ticket: { id: `pasted:${title}`, source: 'pasted', key: title, title, description, findings: {}, revision: 'r1', hash: 'h', fetchedAt: '2026-01-01T00:00:00.000Z' },
  };
}
