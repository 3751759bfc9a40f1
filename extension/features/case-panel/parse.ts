import { z } from 'zod';
import { answer, bugConfirmation, classification, confidence } from '../../core/model/verdict.ts';
import type { FromPanel, PanelRequestName, PanelRequests } from '../../shared/protocol.ts';

/** Longest text the panel may send; a reply draft is the largest. */
const MAX_TEXT = 200_000;
const text = z.string().max(MAX_TEXT);
const reason = z.string().trim().min(1).max(10_000);
const line = z.number().int().positive();
const none = z.strictObject({});

const requests: { [K in PanelRequestName]: z.ZodType<PanelRequests[K]> } = {
  openCitation: z.strictObject({ file: z.string().min(1).max(4096), line: line.optional(), endLine: line.optional() }),
  explainFile: z.strictObject({ root: z.string().max(4096), file: z.string().min(1).max(4096) }),
  stopRun: z.strictObject({ run: z.string().min(1).max(200) }),
  runAgain: z.strictObject({ mode: z.enum(['restart', 'resume']) }),
  answer: z.strictObject({ question: z.string().min(1).max(200), answers: z.array(answer).max(8) }),
  acceptVerdict: none,
  overrideVerdict: z.strictObject({ classification, bugConfirmation: bugConfirmation.optional(), confidence, reason }).refine(confirmationFits, { path: ['bugConfirmation'] }),
  editReply: z.strictObject({ text }),
  overrideFinding: z.strictObject({ rule: z.string().min(1).max(100), reason }),
  postReply: none,
  copyReply: none,
  recheckCitations: none,
  openReport: none,
  openTicket: none,
  openAttachment: z.strictObject({ blob: z.string().regex(/^[0-9a-f]{64}$/) }),
  toggleMarks: none,
  showJournal: none,
};

/** A bug is confirmed or suspected; nothing else is either. */
function confirmationFits(value: { classification: string; bugConfirmation?: unknown }): boolean {
  return (value.classification === 'bug') === (value.bugConfirmation !== undefined);
}

const envelope = z.object({ type: z.literal('request'), id: z.number().int().nonnegative(), name: z.string(), args: z.unknown() });

/** A message of the panel, or undefined: the webview shows untrusted text, so nothing it posts is taken on trust. */
export function parseFromPanel(raw: unknown): FromPanel | undefined {
  if (z.object({ type: z.literal('ready') }).safeParse(raw).success) return { type: 'ready' };
  const message = envelope.safeParse(raw);
  if (!message.success || !isRequestName(message.data.name)) return undefined;
  return withArgs(message.data.id, message.data.name, message.data.args);
}

function isRequestName(name: string): name is PanelRequestName {
  return Object.hasOwn(requests, name);
}

function withArgs(id: number, name: PanelRequestName, args: unknown): FromPanel | undefined {
  const parsed = requests[name].safeParse(args);
  // Name and arguments come from one row of the table, which the type of the union cannot express.
  return parsed.success ? ({ type: 'request', id, name, args: parsed.data } as FromPanel) : undefined;
}
