/**
 * Everything that must hold, on a fresh machine too: set-up, build, checks, tests. At the end it repeats what failed; the last line is `N passed, N failed`.
 *
 *   npm test [-- PART…]     PART: checks, unit, contract, webview, agents, workbench
 *
 * Each check counts as one test. What is skipped, missing or cannot start counts as failed.
 */
import { continueOnNode24 } from './lib/node24.mjs';
import { say } from './lib/run.mjs';
import { setUp } from './setup.mjs';

const needBuild = new Set(['checks', 'contract', 'agents', 'workbench', 'webview']);

await setUp('test');
continueOnNode24();

const { checks } = await import('./lib/checks.mjs');
const { runSuite, suites } = await import('./lib/suites.mjs');
const { buildAll } = await import('./build.mjs');
const { packageVsix } = await import('./package.mjs');

const parts = process.argv.slice(2);
const unknown = parts.filter((part) => part !== 'checks' && !suites.includes(part));
if (unknown.length > 0) {
  say(`No part named ${unknown.join(', ')}. Parts: checks, ${suites.join(', ')}.`);
  process.exit(2);
}
const wanted = parts.length > 0 ? parts : ['checks', ...suites];
const total = { passed: 0, failed: 0 };
/** Said once more at the end, where a long output is looked at. */
const faults = [];

async function one(name, problems) {
  const started = performance.now();
  let found;
  try {
    found = await problems();
  } catch (error) {
    found = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${found.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const problem of found) console.log(problem.replace(/^/gm, '    '));
  faults.push(...found.map((problem) => `${name}\n${problem}`));
  total[found.length === 0 ? 'passed' : 'failed'] += 1;
  return found.length === 0;
}

if (wanted.some((part) => needBuild.has(part))) await one('build', async () => (await buildAll(), []));
if (wanted.includes('checks')) for (const [name, check] of Object.entries(checks)) await one(name, check);
else if (wanted.includes('workbench')) await one('package', async () => (await packageVsix(), []));
for (const suite of suites.filter((name) => wanted.includes(name))) {
  console.log(`\n${suite}`);
  const { passed, failed, faults: inSuite } = await runSuite(suite);
  total.passed += passed;
  total.failed += failed;
  faults.push(...inSuite);
  console.log(`${suite}: ${passed} passed, ${failed} failed`);
}
for (const fault of faults) console.log(`\n✗ ${fault}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
