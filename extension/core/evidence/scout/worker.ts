import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/failure.ts';
import { NodeProcesses } from '../../base/node-processes.ts';
import { Git } from '../../repo/git.ts';
import { type WorkerAnswer, type WorkerTask, stopWord } from './messages.ts';
import { scout } from './scout.ts';

/** Entry of `dist/scout-worker.js`: does one task, answers once, ends. */
async function work(): Promise<WorkerAnswer> {
  const { input, gitProgram, env } = workerData as WorkerTask;
  const stop = new AbortController();
  parentPort?.on('message', (word) => {
    if (word === stopWord) stop.abort(new DOMException('stopped', 'AbortError'));
  });
  const git = new Git({ processes: new NodeProcesses(), env, path: () => gitProgram });
  try {
    return { kind: 'result', result: await scout(input, { git, now: () => Date.now() }, stop.signal) };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

const answer = await work();
parentPort?.postMessage(answer, []);
parentPort?.close();
