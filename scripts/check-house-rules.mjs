/** Who may import whom: cruises the tree, then plants violations in a copy of its shape to prove that the check would see them. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

/** One violation of each kind: file, text, the rule that must fire. */
const planted = [
  ['extension/core/base/upwards.ts', "import { x } from '../cases/target.ts';\nexport const y = x;\n", 'core-base-imports-downwards'],
  ['extension/core/evidence/sideways.ts', "import { x } from '../review/target.ts';\nexport const y = x;\n", 'core-evidence-imports-downwards'],
  ['extension/core/repo/editor.ts', "import type { Uri } from 'vscode';\nexport type Y = Uri;\n", 'core-stands-alone'],
  ['extension/core/agents/host.ts', "import type { x } from '../../host/target.ts';\nexport type Y = typeof x;\n", 'core-stands-alone'],
  ['extension/cli/feature.ts', "import { x } from '../features/target.ts';\nexport const y = x;\n", 'cli-without-vscode'],
  ['extension/shared/heavy.ts', "import { x } from '../core/cases/target.ts';\nexport const y = x;\n", 'shared-is-light'],
  ['webview/case/value.ts', "import { x } from '../../extension/core/cases/target.ts';\nexport const y = x;\n", 'webview-takes-types-only'],
];
const targets = ['core/cases', 'core/review', 'host', 'features'].map((room) => `extension/${room}/target.ts`);

/** @returns {Promise<{modules: number, violations: {from: string, rule: string}[]}>} */
async function cruise(cwd) {
  const { stdout, output } = await run('depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'extension', 'webview'], { cwd });
  try {
    const { summary } = JSON.parse(stdout);
    return { modules: summary.totalCruised, violations: summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })) };
  } catch {
    throw new Error(`dependency-cruiser gave no result:\n${output.slice(-2000)}`);
  }
}

/** @returns {Promise<string[]>} what is wrong; empty when the rules hold and every planted violation was seen */
export async function checkHouseRules() {
  const { modules, violations } = await cruise(root);
  const problems = violations.map(({ from, to, rule }) => `${rule}: ${from} → ${to}`);
  if (modules === 0) problems.push('No module was cruised.');
  return [...problems, ...(await unseenPlants())];
}

async function unseenPlants() {
  const copy = await mkdtemp(join(tmpdir(), 'casebook-rules-'));
  try {
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) await cp(join(root, file), join(copy, file));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const files = [...targets.map((path) => [path, 'export const x = 1;\n']), ...planted];
    for (const [path, text] of files) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), text);
    }
    const { violations } = await cruise(copy);
    return planted.filter(([path, , rule]) => !violations.some((seen) => seen.from === path && seen.rule === rule)).map(([path, , rule]) => `Planted violation not seen: ${path} (${rule})`);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = await checkHouseRules();
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
