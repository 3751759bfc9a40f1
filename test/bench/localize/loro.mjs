// Leave-one-repository-out check of the weights table: for each repository the weights are fitted on the tickets of all others and judged on its own.
//   node test/bench/localize/loro.mjs --data dev.jsonl --trees DIR [--extra more.jsonl --extra-trees DIR --extra-share 0.5]
// DIR/<ticket id>/ is the tree before the fix. --extra: further tickets ({id, repo, title, body, gold_files} a line) that only help to fit.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const option = (name, otherwise) => (process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : otherwise);

/** How far fitted weights are held to those of the table, and how sharply the softmax tells scores apart. */
const HOLD = 0.3;
const SHARPNESS = 8;

async function loadScout() {
  const out = join(root, '.cache/localize/strengths.mjs');
  await mkdir(dirname(out), { recursive: true });
  await build({
    stdin: {
      contents: `export { openIndex } from './extension/core/repo/index/open.ts'; export { readTicket } from './extension/core/evidence/scout/query.ts'; export { rank } from './extension/core/evidence/scout/ranking.ts'; export { machineMadeFactor, roleFactors, signalNames, signals } from './extension/core/evidence/scout/weights.ts';`,
      resolveDir: root, loader: 'ts',
    },
    outfile: out, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'warning',
    banner: { js: "import { createRequire as casebookRequire } from 'node:module'; const require = casebookRequire(import.meta.url);" },
  });
  return import(pathToFileURL(out).href);
}

const lines = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** The first 60 candidates of a ticket with the strength of every signal. */
async function candidates(scout, ticket, tree) {
  const signal = new AbortController().signal;
  const opened = await scout.openIndex({ root: tree, signal, now: Date.now });
  const { ranked } = scout.rank({ query: scout.readTicket(ticket.title, ticket.body ?? ''), roots: [{ name: 'r', path: tree, index: opened.index }], pasts: new Map(), signal });
  const gold = new Set(ticket.gold_files);
  const rows = ranked.slice(0, 60).map(({ root: ranking, doc }) => {
    const file = opened.index.docs[doc];
    return { path: file.path, factor: scout.roleFactors[file.role] * (file.machineMade ? scout.machineMadeFactor : 1), gold: gold.has(file.path), strengths: scout.signalNames.map((name) => ranking.strengths[name][doc]) };
  });
  return { id: ticket.id, repo: ticket.repo, rows };
}

const scoreOf = (row, weights) => row.strengths.reduce((sum, strength, i) => sum + strength * weights[i], 0);

/** Projected gradient descent with momentum per weight (Adam) on the softmax likelihood of the fixed files. */
function fit(tickets, start) {
  const weights = [...start];
  const first = start.map(() => 0);
  const second = start.map(() => 0);
  const useful = tickets.filter(({ rows }) => rows.some((row) => row.gold));
  const share = useful.reduce((sum, { worth }) => sum + worth, 0);
  for (let step = 1; step <= 150; step++) {
    const slope = weights.map((weight, i) => 2 * HOLD * (weight - start[i]));
    for (const { rows, worth } of useful) addSlope(rows, weights, worth / share, slope);
    for (let i = 0; i < weights.length; i++) {
      first[i] = 0.9 * first[i] + 0.1 * slope[i];
      second[i] = 0.999 * second[i] + 0.001 * slope[i] ** 2;
      weights[i] = Math.max(0, weights[i] - (0.01 * (first[i] / (1 - 0.9 ** step))) / (Math.sqrt(second[i] / (1 - 0.999 ** step)) + 1e-9));
    }
  }
  return weights;
}

function addSlope(rows, weights, worth, slope) {
  const scores = rows.map((row) => SHARPNESS * scoreOf(row, weights) + Math.log(row.factor));
  const most = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - most));
  const all = chances.reduce((sum, chance) => sum + chance, 0);
  const gold = chances.reduce((sum, chance, i) => sum + (rows[i].gold ? chance : 0), 0) || 1e-300;
  rows.forEach((row, r) => {
    const pull = chances[r] / all - (row.gold ? chances[r] / gold : 0);
    for (let i = 0; i < slope.length; i++) slope[i] += worth * SHARPNESS * pull * row.strengths[i];
  });
}

function rankOf({ rows }, weights) {
  const scored = rows.map((row) => {
    const score = scoreOf(row, weights);
    return { ...row, score: score > 0 ? score * row.factor : score };
  });
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return scored.findIndex((row) => row.gold) + 1 || Infinity;
}

function figures(ranks) {
  const share = (k) => ((100 * ranks.filter((rank) => rank <= k).length) / ranks.length).toFixed(1);
  return `n ${ranks.length}  Acc@1 ${share(1)}  @3 ${share(3)}  @5 ${share(5)}  @10 ${share(10)}  MRR ${(ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length).toFixed(3)}`;
}

const scout = await loadScout();
const table = scout.signalNames.map((name) => scout.signals[name].weight);
const read = async (file, trees, worth) => {
  const read = [];
  for (const ticket of lines(file)) read.push({ ...(await candidates(scout, ticket, join(trees, ticket.id))), worth });
  return read;
};
const own = await read(option('data'), option('trees'), 1);
const extra = option('extra') ? await read(option('extra'), option('extra-trees'), Number(option('extra-share', '0.5'))) : [];
console.log(`table as it is       ${figures(own.map((ticket) => rankOf(ticket, table)))}`);
if (extra.length > 0) console.log(`  on the extra ones   ${figures(extra.map((ticket) => rankOf(ticket, table)))}`);
const left = [];
for (const repo of new Set(own.map((ticket) => ticket.repo))) {
  const weights = fit([...own, ...extra].filter((ticket) => ticket.repo !== repo), table);
  for (const ticket of own) if (ticket.repo === repo) left.push(rankOf(ticket, weights));
}
console.log(`one repository out   ${figures(left)}`);
const fitted = fit([...own, ...extra], table);
console.log(`fitted on everything ${figures(own.map((ticket) => rankOf(ticket, fitted)))}`);
console.log(scout.signalNames.map((name, i) => `  ${name.padEnd(16)} ${table[i].toFixed(3)} -> ${fitted[i].toFixed(3)}`).join('\n'));
