import { z } from 'zod';
import { citation, scoutResult, snapshot } from '../../model/code.ts';
import { runOutcome } from '../../model/run.ts';
import { ticket } from '../../model/ticket.ts';
import { answer, bugConfirmation, classification, confidence, question, replyFinding, verdict } from '../../model/verdict.ts';

/** Everything that happens to a case outside its runs. Each entry is the body of one event kind. */
export const caseKinds = {
  'case.opened': z.object({ ticket, snapshot, folder: z.string(), title: z.string(), reopens: z.string().optional(), ambient: z.boolean().default(false) }),
  'case.closed': z.object({ why: z.string().optional() }),
  'ticket.revised': z.object({ ticket, previousHash: z.string() }),
  'ticket.refreshed': z.object({ hash: z.string(), revision: z.string(), stale: z.boolean().default(false) }),
  'scout.started': z.object({ roots: z.array(z.string()) }),
  'scout.ended': z.object({ outcome: runOutcome, result: scoutResult.optional(), message: z.string().optional() }),
  'report.written': z.object({ markdown: z.string(), partial: z.boolean() }),
  'question.asked': z.object({ id: z.string(), questions: z.array(question).min(1).max(4) }),
  'question.answered': z.object({ id: z.string(), answers: z.array(answer) }),
  'verdict.refused': z.object({ attempt: z.number().int(), problems: z.array(z.object({ path: z.string(), message: z.string() })) }),
  /** `downgraded` says why a submitted `confirmed` was recorded as `suspected`: its citations did not carry it. */
  'verdict.submitted': z.object({ verdict, recovered: z.boolean().default(false), downgraded: z.string().optional() }),
  'citations.checked': z.object({ citations: z.array(citation), snapshot: snapshot.optional(), cause: z.enum(['verdict', 'report', 'scout', 'tree_changed', 'asked']) }),
  'verdict.accepted': z.object({ verdictEvent: z.string() }),
  'verdict.overridden': z.object({ verdictEvent: z.string().optional(), classification, bugConfirmation: bugConfirmation.optional(), confidence, reason: z.string().min(1) }),
  'reply.drafted': z.object({ text: z.string(), language: z.string().optional() }),
  'reply.edited': z.object({ text: z.string() }),
  'reply.checked': z.object({ hash: z.string(), findings: z.array(replyFinding) }),
  'finding.overridden': z.object({ rule: z.string(), reason: z.string().min(1) }),
  /** A gate shows the exact payload of a remote change before it may happen. */
  'gate.opened': z.object({ id: z.string(), action: z.enum(['post_reply', 'set_labels']), target: z.string(), payload: z.string(), payloadHash: z.string() }),
  'gate.decided': z.object({ id: z.string(), decision: z.enum(['approved', 'refused']), payloadHash: z.string(), reason: z.string().optional() }),
  'gate.carried_out': z.object({ id: z.string(), outcome: z.enum(['confirmed', 'failed', 'unknown']), url: z.string().optional(), remoteId: z.string().optional(), message: z.string().optional() }),
  /** Files that became other than they were while a run went on. `checkpoint`: the one from which they can be reviewed; `by` person: saved by the user meanwhile. */
  'tree.changed': z.object({
    files: z.array(z.object({ root: z.string(), path: z.string(), change: z.enum(['added', 'modified', 'deleted']), by: z.enum(['origin', 'person']).optional() })),
    checkpoint: z.string().optional(),
  }),
};
