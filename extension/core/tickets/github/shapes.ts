import { z } from 'zod';

/**
 * The parts of GitHub's REST answers that are read (docs.github.com/en/rest/issues, version 2022-11-28). Everything is checked, because
 * a proxy's page or a connection cut short also arrives as a "successful" answer.
 */
const account = z.object({ login: z.string(), type: z.string().optional() });
const label = z.union([z.string(), z.object({ name: z.string().nullish() })]).transform((value) => (typeof value === 'string' ? value : (value.name ?? '')));

export const issueShape = z.object({
  number: z.number().int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string(),
  repository_url: z.string().optional(),
  user: account.nullish(),
  author_association: z.string().optional(),
  labels: z.array(label).default([]),
  assignees: z.array(account).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  comments: z.number().int().default(0),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  pull_request: z.object({}).nullish(),
});

export const commentShape = z.object({
  id: z.union([z.number(), z.bigint()]).transform(String),
  body: z.string().nullish(),
  user: account.nullish(),
  author_association: z.string().optional(),
  created_at: z.string().optional(),
  submitted_at: z.string().nullish(),
  html_url: z.string(),
  issue_url: z.string().optional(),
  /** Review comments: where in the code. */
  path: z.string().optional(),
  line: z.number().int().nullish(),
  /** Reviews: APPROVED, CHANGES_REQUESTED, … */
  state: z.string().optional(),
});

export const commentsShape = z.array(commentShape);
export const issuesShape = z.array(issueShape);
export const searchShape = z.object({ total_count: z.number().int(), incomplete_results: z.boolean().optional(), items: issuesShape });
export const labelsShape = z.array(label);

export type Issue = z.infer<typeof issueShape>;
export type Comment = z.infer<typeof commentShape>;
