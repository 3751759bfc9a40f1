import { join } from 'node:path';
import { openJournal } from '../../extension/core/journal/journal.ts';
import { openJournalReader } from '../../extension/core/journal/reader.ts';

/** One part of the journal bench in a process of its own; prints one JSON object. */
const folder = process.argv.at(-1) ?? '';
const [part, argument = ''] = process.argv.slice(2, -1);
const place = { home: join(folder, 'home'), workspace: join(folder, 'project') };
const words = 'the order of parsing tokens in a stream of events that nobody reads but every test needs because it fails now and then'.split(' ');

async function make(megabytes: number): Promise<object> {
  const journal = await openJournal({ ...place, program: 'bench', version: '0', scanner: () => Promise.resolve([]), pollMs: 3_600_000 });
  let bytes = 0;
  let events = 0;
  for (let number = 0; bytes < megabytes * 1024 * 1024; number += 1) {
    const id = `case_${number}`;
    const text = (length: number): string => {
      let made = '';
      for (let at = 0; made.length < length; at += 1) made += `${words[(at * 7 + events * 13 + number) % words.length] ?? ''}${at % 9 === 0 ? events : ''} `;
      return made;
    };
    const ticket = { id: `pasted:${number}`, source: 'pasted', key: String(number), title: `Ticket ${number}`, description: text(4000), findings: {}, revision: '1', hash: 'h', fetchedAt: '2026-01-01T00:00:00Z' };
    await journal.append({ kind: 'case.opened', case: id, actor: { kind: 'person', name: 'bench' }, body: { ticket, title: `Ticket ${number}`, folder: '/x', snapshot: { takenAt: '2026-01-01T00:00:00Z', roots: [] } } });
    for (let step = 0; step < 120; step += 1) {
      const body = text(step % 10 === 0 ? 16_000 : 3000);
      await journal.append({ kind: 'tool.returned', case: id, run: `run_${number}`, actor: { kind: 'agent', name: 'bench' }, body: { call: `c${step}`, ok: true, bytes: body.length, head: number === 7 && step === 7 ? `needle ${body}` : body } });
      bytes += body.length + 400;
      events += 1;
    }
  }
  const cases = (await journal.verify()).events;
  await journal.close();
  return { megabytes: Math.round(bytes / 1024 / 1024), events: cases };
}

async function list(what: string): Promise<object> {
  const before = performance.now();
  const reader = await openJournalReader({ ...place, sqlite: what !== 'nosqlite' });
  const first = await reader.listCases({ limit: 50 });
  const firstMilliseconds = Math.round(performance.now() - before);
  let whole: object = {};
  if (what !== 'first') {
    await reader.whenIndexed();
    whole = { wholeMilliseconds: Math.round(performance.now() - before), cases: (await reader.listCases()).length };
  }
  // A first answer does not wait for the rest; what it costs to stop the building is not part of it.
  const peak = peakMegabytes();
  await reader.close();
  return { firstMilliseconds, firstCases: first.length, ...whole, peakMegabytes: peak };
}

async function read(id: string): Promise<object> {
  const before = performance.now();
  const reader = await openJournalReader(place);
  let events = 0;
  for await (const item of reader.read({ case: id })) if ('kind' in item) events += 1;
  const milliseconds = Math.round(performance.now() - before);
  await reader.close();
  return { milliseconds, events, peakMegabytes: peakMegabytes() };
}

async function search(text: string): Promise<object> {
  const before = performance.now();
  const reader = await openJournalReader(place);
  const found = await reader.search(text);
  const milliseconds = Math.round(performance.now() - before);
  await reader.close();
  return { milliseconds, found: found.length, peakMegabytes: peakMegabytes() };
}

async function verify(): Promise<object> {
  const before = performance.now();
  const reader = await openJournalReader(place);
  const { ok, events } = await reader.verify();
  const milliseconds = Math.round(performance.now() - before);
  await reader.close();
  return { milliseconds, ok, events, peakMegabytes: peakMegabytes() };
}

const peakMegabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

const parts: Record<string, () => Promise<object>> = {
  make: () => make(Number(argument)),
  nothing: () => Promise.resolve({ peakMegabytes: peakMegabytes() }),
  list: () => list(argument),
  read: () => read(argument),
  search: () => search(argument),
  verify,
};
console.log(JSON.stringify(await parts[part ?? '']?.()));
