// What a second ticket costs on an unchanged repository of 10 000 files, for processes of their own (the terminal) and for one that goes on (the editor):
//   node test/bench/localize/bundle.mjs out/localize.mjs && node test/bench/localize/second.mjs out [FILES]
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

const [bundles = 'out', files = '10000'] = process.argv.slice(2);
const titles = ['handler77 is slow', 'handler42 is wrong', 'compute12 gives value 9'];
const folder = mkdtempSync(join(tmpdir(), 'localize-second-'));
const repo = join(folder, 'repo');
const cacheFolder = join(folder, 'cache');

function makeRepository() {
  for (let i = 0; i < Number(files); i++) {
    const part = join(repo, `src/part${i % 200}`);
    if (i < 200) mkdirSync(part, { recursive: true });
    const body = Array.from({ length: 60 }, (_, line) => `  const value${(i * 7 + line) % 5000} = compute${line}(input${i % 97}); // step ${line} of handler ${i}`).join('\n');
    writeFileSync(join(part, `module${i}.ts`), `export function handler${i}(input: Input): Output {\n${body}\n  return done;\n}\n`);
  }
  const git = (...args) => spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: repo });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
}

function print(label, seconds, stats, first) {
  console.log(`${label.padEnd(18)} ${seconds.toFixed(2)} s  files ${stats.files}  looked at ${stats.filesLookedAt}  read ${stats.filesRead}  indexed ${stats.filesIndexed}  opened ${stats.filesOpened}  first ${first}`);
}

function inTerminal(title, i) {
  const ticket = join(folder, `${i}.json`);
  writeFileSync(ticket, JSON.stringify({ id: String(i), title, body: '' }));
  const started = performance.now();
  const { stdout } = spawnSync(process.execPath, [join(resolve(bundles), 'localize.mjs'), '--repo', repo, '--ticket', ticket, '--cache', cacheFolder], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const { stats, ranked } = JSON.parse(stdout.trimEnd().split('\n').at(-1));
  print(`process ${i + 1}`, (performance.now() - started) / 1000, stats, ranked[0]?.file);
}

async function inEditor() {
  const worker = new Worker(join(resolve(bundles), 'scout-worker.mjs'), { workerData: { env: process.env } });
  const search = async (title) => {
    worker.postMessage({ kind: 'search', input: { ticket: { id: '1', title, body: '' }, roots: [{ name: 'repo', path: repo }], git: 'auto', cacheFolder } }, []);
    const [answer] = await once(worker, 'message');
    if (answer.kind === 'failed') throw new Error(answer.message);
    return answer.result;
  };
  for (const [i, title] of titles.entries()) {
    const started = performance.now();
    const { stats, suspects } = await search(title);
    print(`same process ${i + 1}`, (performance.now() - started) / 1000, stats, suspects[0]?.file);
    // As while somebody reads the answer: the folders are watched meanwhile.
    await new Promise((done) => setTimeout(done, i === 0 ? 5000 : 0));
  }
  await worker.terminate();
}

try {
  makeRepository();
  titles.forEach(inTerminal);
  await inEditor();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
