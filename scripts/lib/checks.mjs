import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkHouseRules } from '../check-house-rules.mjs';
import { checkIds } from '../check-ids.mjs';
import { checkSchemas } from '../generate-schemas.mjs';
import { packageVsix } from '../package.mjs';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/** A tool whose exit code is the answer. */
const tool = (command, ...args) => async () => {
  const { code, output } = await run(command, args);
  return code === 0 ? [] : [output.trim()];
};

/** oxlint with warnings as errors; a run over no files or without the type-aware rules would prove nothing. */
async function lint() {
  const { code, output } = await run('oxlint', ['--type-aware', '--max-warnings=0']);
  const files = Number(/on (\d+) files/.exec(output)?.[1] ?? 0);
  return [...(code === 0 ? [] : [output.trim()]), ...(files > 0 ? [] : [`oxlint looked at no files:\n${output}`])];
}

async function packs() {
  const { bytes } = await packageVsix();
  return bytes > 0 ? [] : ['casebook.vsix is empty'];
}

/** The terminal command starts, by itself and with the Node that the README asks for. */
async function cliStarts() {
  if (!existsSync(join(root, 'dist/cli.js'))) return ['dist/cli.js was not built'];
  const { code, output } = await run('node', ['dist/cli.js', '--help']);
  return code === 0 && output.includes('investigate') ? [] : [`casebook --help ended with ${code}:\n${output}`];
}

/** Name → what is wrong; each check counts as one test. In this order: packing needs the build, the sizes need the package. */
export const checks = {
  'types of the extension': tool('tsc', '-p', '.'),
  'types of the webviews': tool('tsc', '-p', 'webview'),
  lint,
  'house rules': checkHouseRules,
  'ids and words': checkIds,
  'generated schemas': checkSchemas,
  'nothing unused': tool('knip', '--no-progress'),
  'terminal command': cliStarts,
  package: packs,
  sizes: tool('size-limit'),
};
