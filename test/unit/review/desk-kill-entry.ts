/**
 * Proposes a set, accepts it, and ends its own process, as by kill -9, before the named changing step of the disk or after the named event of the journal.
 * Arguments: home, root, state folder, `disk:N`, `event:KIND` or `none`.
 */
import { systemClock } from '../../../extension/core/base/clock.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { openJournal } from '../../../extension/core/journal/journal.ts';
import { nodeDisk } from '../../../extension/core/review/apply/disk.ts';
import { createDesk } from '../../../extension/core/review/desk/desk.ts';
import { watched } from './trees.ts';

const [home = '', root = '', state = '', when = 'none'] = process.argv.slice(2);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal comes at any moment now; nothing more may happen until then.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

let steps = 0;
const disk = watched(nodeDisk(), ({ changingNumber }) => {
  if (changingNumber > 0) steps = changingNumber;
  if (changingNumber > 0 && when === `disk:${changingNumber}`) die();
});
const journal = await openJournal({ home, workspace: root, program: 'test', version: '0' });
const append = journal.append.bind(journal);
journal.append = async (event, signal) => {
  const written = await append(event, signal);
  if (when === `event:${event.kind}`) die();
  return written;
};
const desk = createDesk({ journal, disk, stateFolder: state, clock: systemClock, logger: nullLogger, person: 'tester', roots: () => [{ name: 'w', path: root }], finish: () => 'whenDecided', policies: () => [] });
const capabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: true, canExplain: true } as const;
const set = await new Promise<string>((resolve) => {
  void desk.propose(
    {
      title: 'From a process that dies',
      origin: { client: 'agent', session: 'one' },
      disk: 'proposed',
      files: [
        { root: 'w', path: 'a.txt', proposed: { kind: 'text', text: 'one\n2\n' } },
        { root: 'w', path: 'new/b.txt', proposed: { kind: 'text', text: 'new\n' } },
        { root: 'w', path: 'old.txt', proposed: { kind: 'absent' } },
      ],
    },
    { name: 'agent', capabilities, signal: new AbortController().signal, onSet: resolve },
  );
});
await desk.decideAll(set, 'accept', { via: 'test', revision: 0 });
await journal.close();
process.stdout.write(`${steps}\n`);
