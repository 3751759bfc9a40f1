// What a second ticket costs on an unchanged repository of 10 000 files: node test/bench/localize/second.mjs COMMAND…   (COMMAND gets --repo, --ticket and --cache)
//   node test/bench/localize/bundle.mjs out/localize.mjs && node test/bench/localize/second.mjs node out/localize.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'localize-second-'));
try {
  const repo = join(folder, 'repo');
  for (let i = 0; i < 10_000; i++) {
    const part = join(repo, `src/part${i % 200}`);
    if (i < 200) mkdirSync(part, { recursive: true });
    const body = Array.from({ length: 60 }, (_, line) => `  const value${(i * 7 + line) % 5000} = compute${line}(input${i % 97}); // step ${line} of handler ${i}`).join('\n');
    writeFileSync(join(part, `module${i}.ts`), `export function handler${i}(input: Input): Output {\n${body}\n  return done;\n}\n`);
  }
  for (const [label, title] of [['first', 'handler77 is slow'], ['second', 'handler4242 is wrong'], ['third', 'compute12 gives value 9']]) {
    const ticket = join(folder, `${label}.json`);
    writeFileSync(ticket, JSON.stringify({ id: label, title, body: '' }));
    const [command, ...args] = process.argv.slice(2);
    const started = performance.now();
    const { stdout } = spawnSync(command, [...args, '--repo', repo, '--ticket', ticket, '--cache', join(folder, 'cache')], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    const { stats, ranked } = JSON.parse(stdout.trimEnd().split('\n').at(-1));
    console.log(`${label.padEnd(6)} ${seconds} s  files ${stats.files}  read ${stats.filesRead}  indexed ${stats.filesIndexed}  opened ${stats.filesOpened}  first ${ranked[0]?.file}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
