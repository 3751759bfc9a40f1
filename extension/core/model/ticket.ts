import { z } from 'zod';

/**
 * The ticket model: what every source is mapped to. All strings are untrusted, already masked (secrets) and well-formed Unicode;
 * a missing part is absent, never an empty placeholder. Sections follow the resolution-analyst prompt (docs/verdict.md).
 */

export const attachment = z.object({
  name: z.string(),
  mediaType: z.string().optional(),
  /** Where the source keeps it; never fetched by itself. */
  url: z.string().optional(),
  /** Bytes kept in the journal's blobs, by SHA-256. */
  blob: z.string().optional(),
  /** Text content, when the attachment is text. */
  text: z.string().optional(),
  readable: z.boolean(),
});

export const threadMessage = z.object({
  id: z.string().optional(),
  sender: z.string(),
  /** `in` from the reporter's side, `out` from the team, `system` for events. */
  direction: z.enum(['in', 'out', 'system']),
  time: z.string().optional(),
  text: z.string(),
  attachments: z.array(attachment).default([]),
});

export const logEntry = z.object({ time: z.string().optional(), level: z.string().optional(), text: z.string() });

export const networkEntry = z.object({
  time: z.string().optional(),
  method: z.string().optional(),
  url: z.string(),
  status: z.number().int().optional(),
  durationMs: z.number().optional(),
  error: z.string().optional(),
});

/** Something the source or Casebook left out; shown to people and to the model. */
export const truncation = z.object({ section: z.string(), kept: z.number().int(), total: z.number().int().optional(), note: z.string() });

/** What cleaning found in the text; counts only. */
export const textFindings = z.object({
  invisible: z.number().int().default(0),
  bidi: z.number().int().default(0),
  control: z.number().int().default(0),
  tags: z.number().int().default(0),
  hiddenMarkup: z.number().int().default(0),
  masked: z.number().int().default(0),
  brokenUnicode: z.number().int().default(0),
  notReadable: z.number().int().default(0),
});

export const severity = z.enum(['critical', 'high', 'medium', 'low', 'unknown']);

export const ticket = z.object({
  /** `<source>:<key>`, stable across reads, e.g. `github:owner/repo#12`. */
  id: z.string(),
  source: z.string(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  url: z.string().optional(),
  status: z.string().optional(),
  severity: severity.default('unknown'),
  labels: z.array(z.string()).default([]),
  reporter: z.string().optional(),
  assignees: z.array(z.string()).default([]),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  where: z.record(z.string(), z.string()).default({}),
  environment: z.record(z.string(), z.string()).default({}),
  formData: z.record(z.string(), z.string()).default({}),
  customData: z.record(z.string(), z.string()).default({}),
  customer: z.record(z.string(), z.string()).default({}),
  console: z.array(logEntry).default([]),
  network: z.array(networkEntry).default([]),
  actions: z.array(logEntry).default([]),
  thread: z.array(threadMessage).default([]),
  attachments: z.array(attachment).default([]),
  truncations: z.array(truncation).default([]),
  findings: textFindings,
  /** The source's own revision (etag, updated_at, …), or the content hash where there is none. */
  revision: z.string(),
  /** SHA-256 of the canonical JSON of everything above but `findings`, `revision` and `fetchedAt`. */
  hash: z.string(),
  /** When it was read; a last known copy keeps the old time. */
  fetchedAt: z.string(),
  /** Set when the source could not be reached and this is the last known copy. */
  stale: z.object({ reason: z.string(), ageMs: z.number() }).optional(),
});

export type Attachment = z.infer<typeof attachment>;
export type ThreadMessage = z.infer<typeof threadMessage>;
export type Truncation = z.infer<typeof truncation>;
export type TextFindings = z.infer<typeof textFindings>;
export type Severity = z.infer<typeof severity>;
export type Ticket = z.infer<typeof ticket>;

/** A line in a list of tickets: enough to choose by, without reading the whole. */
export const ticketSummary = ticket.pick({ id: true, source: true, key: true, title: true, url: true, status: true, severity: true, labels: true, updatedAt: true, createdAt: true });
export type TicketSummary = z.infer<typeof ticketSummary>;
