import { parseArgs } from 'node:util';
import { type CliCommand, type CliContext, explained, UsageError } from './command.ts';
import { openCore } from './open.ts';
import { checkNumbers, reviewOptions, type ReviewValues, type ReviewVerb } from './review/call.ts';
import { accept, finish, redo, reject, undo } from './review/decide.ts';
import { checkpoint, patch, workingTree } from './review/gather.ts';
import { list } from './review/lists.ts';
import { open } from './review/open.ts';
import { line, summary, trailers } from './review/origin.ts';
import { show } from './review/show.ts';

const usage = `casebook review list [--all] [--text WORDS]
casebook review show SET [FILE]… [--all]              a large set by file, unless files are named
casebook review open SET                             go through it at the terminal (y/n/e/s/a/d/j/k/q/?)
casebook review open --path FILE --new FILE [--title WORDS]
casebook review open --base REV [PATH]…
casebook review accept SET [FILE]… [--hunk ID]… [--reason WORDS] [--revision N] [--wait SECONDS]
casebook review reject SET [FILE]… [--hunk ID]… [--reason WORDS] [--revision N] [--wait SECONDS]
casebook review finish SET
casebook review undo SET | --policy NAME
casebook review redo SET
casebook review working-tree [--base REV] [--open]   everything that differs from HEAD or a revision
casebook review patch FILE [--open]
casebook review checkpoint start [--label WORDS]
casebook review checkpoint list|changes|review|close [CHECKPOINT] [--open]
casebook review line FILE:LINE                       who decided this line
casebook review summary [SET… | --case CASE | --branch [--base REV]] [--html] [--title WORDS]
casebook review trailers [SET… | --case CASE | --branch [--base REV]]
  [--repo FOLDER]… [--home FOLDER] [--json]`;

const verbs: Record<string, ReviewVerb> = { list, show, open, accept, reject, finish, undo, redo, 'working-tree': workingTree, patch, checkpoint, line, summary, trailers };

/** Failures that tell the user something about their files or sets, and none about Casebook. */
const problems = ['not_found', 'settled', 'stale_revision', 'undecided', 'nothing_to_undo', 'changed_since', 'bad_proposal', 'no_such_revision', 'bad_patch', 'closed'] as const;

/** `casebook review`: the review desk from a terminal. */
export const reviewCommand: CliCommand = {
  name: 'review',
  summary: 'Review change sets: list, show, open, decide, undo, and who decided a line',
  usage,
  async run(args, context) {
    try {
      return await dispatch(args, context);
    } catch (error) {
      return explained(error, usage, problems, context);
    }
  },
};

async function dispatch(args: string[], context: CliContext): Promise<number> {
  const { values, positionals }: { values: ReviewValues; positionals: string[] } = parseArgs({ args, options: reviewOptions, allowPositionals: true });
  const [name, ...rest] = positionals;
  const verb = name !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw new UsageError(name === undefined ? 'What should be done?' : `There is no "review ${name}".`);
  checkNumbers(values);
  const core = await openCore(context, { repo: values.repo, home: values.home });
  try {
    return await verb({ core, context, values, rest });
  } finally {
    await core.close();
  }
}
