import { z } from 'zod';
import type { ReviewRequests } from '../../shared/review-protocol.ts';
import { pageParser, type RequestShapes } from '../panels/parse.ts';

const file = z.string().min(1).max(8192);
const hunk = z.string().min(1).max(200);
const revision = z.number().int().nonnegative();
const at = z.number().int().nonnegative();
const line = z.number().int().positive();
const side = z.enum(['base', 'proposed']);
const verdict = z.enum(['accept', 'reject']);
/** Longest text that a person types here: a hunk, or a new file, edited in place. */
const text = z.string().max(400_000);
const words = z.string().trim().min(1).max(20_000);
const none = z.strictObject({});

const requests: RequestShapes<ReviewRequests> = {
  file: z.strictObject({ file }),
  lines: z.strictObject({ file, content: z.string().max(400), side, from: at, to: at }),
  parts: z.strictObject({ file, hunk }),
  hunkText: z.strictObject({ file, hunk }),
  search: z.strictObject({ text: z.string().trim().min(1).max(500) }),
  decide: z.strictObject({ file, hunks: z.array(hunk).min(1).max(5000), decision: z.enum(['accept', 'reject', 'undone']), revision, confirmed: z.boolean() }),
  decideAll: z.strictObject({ decision: verdict, revision, confirmed: z.boolean(), reason: words.optional() }),
  finish: z.strictObject({ revision, reason: words.optional() }),
  edit: z.strictObject({ file, text: text.optional(), revision }),
  editHunk: z.strictObject({ file, hunk, text, revision }),
  comment: z.strictObject({ file: file.optional(), side: side.optional(), line: line.optional(), endLine: line.optional(), excerpt: z.string().max(4000).optional(), text: words }),
  removeComment: z.strictObject({ id: z.string().min(1).max(200) }),
  markReviewed: z.strictObject({ file, reviewed: z.boolean() }),
  refresh: none,
  undo: none,
  redo: none,
  copyForAgent: none,
  openNative: z.strictObject({ file: file.optional(), line: line.optional() }),
  openCitation: z.strictObject({ file, line: line.optional(), endLine: line.optional() }),
  openCase: none,
  setLayout: z.strictObject({ layout: z.enum(['unified', 'split']) }),
  setHideWhitespace: z.strictObject({ hidden: z.boolean() }),
};

/** A message of the review panel, or undefined when it is none. */
export const parseFromReview = pageParser<ReviewRequests>(requests);
