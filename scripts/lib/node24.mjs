import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { node24 } from './paths.mjs';
import { toolEnv } from './run.mjs';

/** Whether this process runs on the Node that the project is built and tested with. */
export function onNode24() {
  return process.versions.node.startsWith('24.');
}

/** Starts the same script again on the project's own Node and ends with its exit code; returns when already on it. */
export function continueOnNode24() {
  if (onNode24()) return;
  if (!existsSync(node24)) throw new Error(`${node24} is missing: run "node scripts/setup.mjs".`);
  const child = spawnSync(node24, process.argv.slice(1), { stdio: 'inherit', env: toolEnv() });
  if (child.error) throw child.error;
  process.exit(child.status ?? 1);
}
