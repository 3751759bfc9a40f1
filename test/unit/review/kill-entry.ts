/** Writes the scene and ends its own process, as by kill -9, before the named changing step. Arguments: root, state folder, step (0: none). */
import { nodeDisk } from '../../../extension/core/review/apply/disk.ts';
import { DiskWriter } from '../../../extension/core/review/apply/writer.ts';
import { recoverWrites } from '../../../extension/core/review/apply/rollback.ts';
import { sceneEntries, watched } from './trees.ts';

const [root = '', state = '', step = '0', what = 'write'] = process.argv.slice(2);
let changing = 0;
const disk = watched(nodeDisk(), ({ changingNumber }) => {
  if (changingNumber > 0) changing = changingNumber;
  if (changingNumber === 0 || changingNumber !== Number(step)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal comes at any moment now; nothing more may happen until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
if (what === 'recover') await recoverWrites(disk, state);
else await new DiskWriter({ disk, roots: [{ name: 'w', path: root }], stateFolder: state }).apply(sceneEntries);
process.stdout.write(`${changing}\n`);
