import { z } from 'zod';
import { answer, bugConfirmation, classification, confidence } from '../../core/model/verdict.ts';
import type { PanelRequests } from '../../shared/protocol.ts';
import { pageParser, type RequestShapes } from '../panels/parse.ts';

/** Longest text the panel may send; a reply draft is the largest. */
const MAX_TEXT = 200_000;
const text = z.string().max(MAX_TEXT);
const reason = z.string().trim().min(1).max(10_000);
const line = z.number().int().positive();
const none = z.strictObject({});

const requests: RequestShapes<PanelRequests> = {
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
  reviewChanges: none,
  showJournal: none,
};

/** A bug is confirmed or suspected; nothing else is either. */
function confirmationFits(value: { classification: string; bugConfirmation?: unknown }): boolean {
  return (value.classification === 'bug') === (value.bugConfirmation !== undefined);
}

/** A message of the panel, or undefined when it is none. */
export const parseFromPanel = pageParser<PanelRequests>(requests);
