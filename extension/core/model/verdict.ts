import { z } from 'zod';

/**
 * The verdict contract (`analysis.json`), field for field that of the resolution analyst; see docs/verdict.md.
 * Unknown fields are dropped, a missing required field is an error that goes back to the same conversation.
 */

export const classification = z.enum(['answerable', 'bug', 'feature_request', 'needs_more_info', 'inconclusive']);
export const bugConfirmation = z.enum(['confirmed', 'suspected']);
export const confidence = z.enum(['high', 'medium', 'low']);

export const evidence = z.object({
  file: z.string().min(1).describe('Path with the root name in front: root/src/x.ts'),
  line: z.number().int().positive().optional(),
  note: z.string().optional(),
});

const fields = {
  classification,
  bugConfirmation: bugConfirmation.optional().describe('Required when classification is bug, absent otherwise'),
  confidence,
  summary: z.string().min(1).describe('One sentence'),
  explanationForSupport: z.string().min(1).describe('2 to 4 plain sentences, no code and no paths'),
  proposedCustomerReply: z.string().min(1).describe("The complete reply, in the customer's language"),
  suggestedNextStep: z.string().min(1).describe('One concrete step'),
  neededRepository: z.string().optional(),
  openQuestions: z.array(z.string()).optional(),
  limitations: z.string().optional(),
};

/**
 * `bugConfirmation` is required if and only if the classification is `bug`. Judged also when other fields are wrong,
 * so that an author learns of everything at once; silent when the classification itself cannot be read.
 */
function confirmationGoesWithBug<Shape extends z.ZodType>(shape: Shape): Shape {
  type Read = { classification?: unknown; bugConfirmation?: unknown };
  const isObject = (payload: { value: unknown }) => typeof payload.value === 'object' && payload.value !== null;
  return shape
    .refine((value) => (value as Read).classification !== 'bug' || (value as Read).bugConfirmation !== undefined, {
      path: ['bugConfirmation'],
      error: 'required when classification is "bug": "confirmed" or "suspected"',
      when: isObject,
    })
    .refine((value) => (value as Read).bugConfirmation === undefined || (value as Read).classification === 'bug' || !classification.safeParse((value as Read).classification).success, {
      path: ['bugConfirmation'],
      error: 'must be absent unless classification is "bug"',
      when: isObject,
    });
}

/** `analysis.json`. */
export const verdict = confirmationGoesWithBug(z.object({ ...fields, evidence: z.array(evidence) }));

/** What an agent hands to `submit`: the verdict, with an optional exact quote per citation. */
export const submission = confirmationGoesWithBug(
  z.object({
    ...fields,
    evidence: z.array(evidence.extend({ endLine: z.number().int().positive().optional(), quote: z.string().optional().describe('The exact text at that place') })),
  }),
);

export type Classification = z.infer<typeof classification>;
export type Confidence = z.infer<typeof confidence>;
export type Verdict = z.infer<typeof verdict>;
export type Submission = z.infer<typeof submission>;

/** One thing wrong with a reply draft. `span` is in UTF-16 units of the draft. */
export const replyFinding = z.object({
  rule: z.enum(['language', 'secret', 'path', 'code', 'internal_name', 'other_customer', 'promise', 'confidence', 'defect_admission', 'claim', 'disagrees', 'mention', 'remote_image', 'length', 'invisible']),
  severity: z.enum(['block', 'warn']),
  message: z.string(),
  span: z.tuple([z.number().int(), z.number().int()]).optional(),
  /** A replacement of the span that resolves the finding. */
  fix: z.string().optional(),
});
export type ReplyFinding = z.infer<typeof replyFinding>;

/** A question from an agent; shown inline, answered once. */
export const question = z.object({
  question: z.string().min(1),
  header: z.string().max(40).optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })).max(8).default([]),
  multiSelect: z.boolean().default(false),
});
export const answer = z.object({ chosen: z.array(z.string()), text: z.string().optional(), skipped: z.boolean().default(false) });
export type Question = z.infer<typeof question>;
export type Answer = z.infer<typeof answer>;
