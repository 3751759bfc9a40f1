import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { type CallerCapabilities, type ChangeOrigin } from '../../model/change.ts';
import type { Outcome, Proposal, ProposedFile } from '../../review/port.ts';
import { lfText } from '../diffs.ts';
import type { LinkFailureReason } from '../failure.ts';
import { findLinkPlace } from '../paths.ts';
import { jsonAnswer, linkTool, type LinkAnswer, type LinkTool } from '../tool.ts';
import type { OwnToolsDeps } from './deps.ts';

/** A client hears everything of a decision, and Casebook writes what was accepted. */
const capabilities: CallerCapabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: true, canExplain: true };

/** Many clients give a call up after a minute; who waits for longer asks again. Seconds. */
const usualWait = 50;
const longestWait = 3600;

const waitSeconds = z.number().int().min(0).max(longestWait).optional();
const changedFile = z.object({
  path: z.string(),
  content: z.string().nullable().describe('the whole new text; null deletes the file'),
  from: z.string().optional().describe('a rename: the path before'),
});

/** Proposing a change of several files as one set, and waiting for what a person decides of it. */
export function changeTools(deps: OwnToolsDeps, origin: ChangeOrigin): LinkTool[] {
  return [
    linkTool({
      name: 'propose_changes',
      description: `Puts a change of one or several files on the person's review desk and waits for the decision, ${usualWait} seconds unless told otherwise. Casebook writes what is accepted; write nothing yourself. Where the answer says pending, the set goes on waiting: ask with await_review.`,
      input: z.object({ title: z.string().min(1), explanation: z.string().optional(), files: z.array(changedFile).min(1).max(500), wait_seconds: waitSeconds }),
      readOnly: false,
      async run({ title, explanation, files, wait_seconds: seconds = usualWait }, signal, progress) {
        const proposal: Proposal = { title, ...(explanation === undefined ? {} : { explanation }), origin, disk: 'proposed', files: await Promise.all(files.map((file) => proposedFile(deps, file))) };
        const late = new AbortController();
        let timer: NodeJS.Timeout | undefined;
        // The time begins when the change is on the desk, so that no proposal is lost to it.
        const onSet = (set: string): void => {
          progress(`${set} waits for review`);
          timer = setTimeout(() => late.abort(), seconds * 1000);
        };
        const outcome = await deps.desk.propose(proposal, { name: origin.client, capabilities, signal: AbortSignal.any([signal, late.signal]), onSet });
        clearTimeout(timer);
        return outcome.outcome === 'abandoned' ? jsonAnswer({ set: outcome.set, status: 'pending' }) : told(deps, outcome);
      },
    }),
    linkTool({
      name: 'await_review',
      description: 'Waits for the decision of a change set that was proposed, and tells it.',
      input: z.object({ set: z.string(), wait_seconds: waitSeconds }),
      readOnly: true,
      async run({ set, wait_seconds: seconds = usualWait }, signal) {
        await settledOrLate(deps, set, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]));
        const { status, settled, origin: by } = await deps.desk.state(set);
        if (by.client !== origin.client) throw new Failure<LinkFailureReason>('not_found', `There is no change set ${set} of yours.`);
        if (status === 'pending' || settled === undefined) return jsonAnswer({ set, status: 'pending' });
        return jsonAnswer({ set, status: 'settled', outcome: settled.outcome, words: await deps.desk.wordsForAgent(set) });
      },
    }),
  ];
}

async function proposedFile({ roots }: OwnToolsDeps, { path, content, from }: z.infer<typeof changedFile>): Promise<ProposedFile> {
  const place = await findLinkPlace(roots(), path);
  const before = from === undefined ? undefined : await findLinkPlace(roots(), from);
  if (before !== undefined && before.root.name !== place.root.name) throw new Failure<LinkFailureReason>('bad_path', 'A file can be renamed within its folder of the workspace only.');
  // A byte order mark is the file's, not the text's: the desk keeps the one that is there.
  const proposed: ProposedFile['proposed'] = content === null ? { kind: 'absent' } : { kind: 'text', text: place.exists ? content.replace(/^\uFEFF/u, '') : content };
  return { root: place.root.name, path: place.path, ...(before === undefined ? {} : { from: before.path }), proposed };
}

async function told({ journal, desk }: OwnToolsDeps, outcome: Outcome): Promise<LinkAnswer> {
  const { set, answer } = outcome;
  const files: Record<string, string | null> = {};
  for (const [key, hash] of Object.entries(answer?.edited ?? {})) {
    const bytes = await journal.blobs.get(hash);
    // Null where it is no text, or gone.
    files[key] = (bytes === undefined ? undefined : lfText(bytes)) ?? null;
  }
  return jsonAnswer({ set, status: 'settled', outcome: outcome.outcome, ...(Object.keys(files).length === 0 ? {} : { now: files }), words: await desk.wordsForAgent(set) });
}

async function settledOrLate({ desk }: OwnToolsDeps, set: string, signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if ((await desk.state(set)).status === 'settled') done.resolve();
  };
  const listening = desk.onChange((id) => {
    if (id === set) look().catch(done.reject);
  });
  signal.addEventListener('abort', () => done.resolve(), { once: true });
  try {
    await look();
    if (signal.aborted) return;
    await done.promise;
  } finally {
    listening.dispose();
  }
}
