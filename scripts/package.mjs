/** Packs dist/ and the manifest into casebook.vsix. A warning of the packer is an error. */
import { rm, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { root, vsix } from './lib/paths.mjs';
import { must, say } from './lib/run.mjs';
import { continueOnNode24 } from './lib/node24.mjs';

/** @returns {Promise<{bytes: number}>} */
export async function packageVsix() {
  await rm(vsix, { force: true });
  const { output } = await must('vsce', ['package', '--no-dependencies', '--out', vsix], { cwd: root });
  const warnings = output.split('\n').filter((line) => /warning/i.test(line));
  if (warnings.length > 0) throw new Error(`vsce warns:\n${output}`);
  return { bytes: (await stat(vsix)).size };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  continueOnNode24();
  const { buildAll } = await import('./build.mjs');
  await buildAll();
  const { bytes } = await packageVsix();
  say(`casebook.vsix: ${(bytes / 1e6).toFixed(2)} MB`);
}
