import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

export const suites = ['unit', 'contract', 'webview', 'agents', 'workbench'];

/** Suites that start editors, browsers and agents: nothing of theirs may reach the network. */
const withoutNetwork = new Set(['agents', 'workbench']);

/**
 * Runs one part of the tests.
 * @returns {Promise<{passed: number, failed: number, faults: string[]}>} skipped and pending tests, files that do not load and a run without tests count as failed;
 * `faults` says which they were, with the first words of why
 */
export async function runSuite(name) {
  const report = join(root, `.cache/vitest-${name}.json`);
  await mkdir(join(root, '.cache'), { recursive: true });
  await rm(report, { force: true });
  const command = ['vitest', 'run', '--project', name, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const [program, ...args] = withoutNetwork.has(name) ? [...(await loopbackOnly()), ...command] : command;
  const { code } = await run(program, args, { echo: true });
  const found = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  return { ...count(found, code), faults: faultsOf(found) };
}

/** On data; see test/unit/scripts/suites.test.ts. */
export function count(report, code) {
  const passed = report.numPassedTests ?? 0;
  const notRun = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
  const unloaded = (report.testResults ?? []).filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const failed = (report.numFailedTests ?? 0) + notRun + unloaded;
  const nothing = passed + failed === 0 || (code !== 0 && failed === 0) ? 1 : 0;
  return { passed, failed: failed + nothing };
}

/**
 * What did not pass, one entry each: its file, its name and the beginning of its message.
 * @returns {string[]}
 */
export function faultsOf(report) {
  return (report.testResults ?? []).flatMap((file) => {
    const name = file.name?.replace(`${root}/`, '') ?? '(no file)';
    if (file.status === 'failed' && file.assertionResults.length === 0) return [`${name} did not load\n${beginning(file.message)}`];
    return file.assertionResults
      .filter((test) => test.status !== undefined && test.status !== 'passed')
      .map((test) => `${name} > ${test.fullName} (${test.status})\n${beginning(test.failureMessages?.join('\n'))}`);
  });
}

const beginning = (message = '') => message.split('\n').slice(0, 12).join('\n').slice(0, 1500);

/** A network namespace with nothing but loopback, where one can be had: as root, or through a user namespace. */
async function loopbackOnly() {
  const inside = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  for (const flags of [['-n'], ['-r', '-n']]) {
    if ((await run('unshare', [...flags, ...inside, 'true'])).code === 0) return ['unshare', ...flags, ...inside];
  }
  return ['env'];
}
