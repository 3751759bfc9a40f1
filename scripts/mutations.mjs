/**
 * Puts each fault of test/mutations/faults.mjs into a copy of the code, one at a time, and runs the tests that must notice it.
 *
 *   npm run test:mutations [-- WORDS]     only faults whose name holds the words
 *
 * Ends with 1 when a fault is not noticed, or when its text is no longer in the code.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { continueOnNode24 } from './lib/node24.mjs';
import { root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

continueOnNode24();
const { faults } = await import('../test/mutations/faults.mjs');
const words = process.argv.slice(2).join(' ');
const chosen = faults.filter((fault) => fault.name.includes(words));

/** What the tests need of the project; node_modules is shared. */
async function copyOfProject() {
  const copy = await mkdtemp(join(tmpdir(), 'casebook-mutations-'));
  for (const name of ['extension', 'test', 'scripts', 'examples', 'package.json', 'package.nls.json', 'tsconfig.json', 'vitest.config.ts']) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function noticed(copy, fault) {
  const file = join(copy, fault.file);
  const text = await readFile(file, 'utf8');
  const found = text.split(fault.find).length - 1;
  if (found !== 1) return `its text is ${found === 0 ? 'no longer' : `${found} times`} in ${fault.file}`;
  const [test, name] = fault.test;
  const args = ['run', '--root', copy, '--bail', '1', test, ...(name === undefined ? [] : ['-t', name])];
  try {
    await writeFile(file, text.replace(fault.find, () => fault.put));
    const { code, output } = await run('vitest', args, { cwd: copy });
    if (code === 0) return `no test noticed it: ${test} ${name ?? ''}`;
    // A red run counts only when a test failed: a file that cannot be loaded, or a name that no test has, proves nothing.
    return /Tests\s.*\bfailed\b/u.test(output.replaceAll(/\u001b\[[\d;]*m/gu, '')) ? undefined : `the tests did not run:\n${output.slice(-1500)}`;
  } finally {
    await writeFile(file, text);
  }
}

const copy = await copyOfProject();
let failed = 0;
try {
  for (const fault of chosen) {
    const problem = await noticed(copy, fault);
    console.log(`${problem === undefined ? '✓' : '✗'} ${fault.name}${problem === undefined ? '' : `\n    ${problem}`}`);
    if (problem !== undefined) failed += 1;
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 || chosen.length === 0 ? 1 : 0);
