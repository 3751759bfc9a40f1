/** Activation beside an empty extension, on the packaged extension: `npm run bench:activation [-- ROUNDS]`. */
import { spawnSync } from 'node:child_process';
import { continueOnNode24 } from './lib/node24.mjs';
import { root } from './lib/paths.mjs';
import { toolEnv } from './lib/run.mjs';
import { setUp } from './setup.mjs';

await setUp('test');
continueOnNode24();
const { buildAll } = await import('./build.mjs');
const { packageVsix } = await import('./package.mjs');
await buildAll();
await packageVsix();
const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
const { status } = spawnSync(process.execPath, [...flags, 'test/bench/activation/run.ts', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit', env: toolEnv() });
process.exit(status ?? 1);
