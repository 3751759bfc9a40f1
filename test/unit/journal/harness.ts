import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type FileJournal, openJournal, type OpenJournalOptions } from '../../../extension/core/journal/journal.ts';
import { type JournalReader, openJournalReader } from '../../../extension/core/journal/reader.ts';
import type { AnyEvent, EventFilter, Gap, Journal } from '../../../extension/core/journal/port.ts';

export const person = { kind: 'person', name: 'ada', via: 'cli' } as const;
export const agent = { kind: 'agent', name: 'claude', via: 'model-x' } as const;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function later(cleanUp: () => Promise<unknown>): void {
  cleanUps.push(cleanUp);
}

/** A new folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'casebook-journal-'));
  later(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A journal that is closed after the test. */
export async function open(home: string, options: Partial<OpenJournalOptions> = {}): Promise<FileJournal> {
  const journal = await openJournal({ home, workspace: join(home, 'project'), program: 'test', version: '0.0.0', ...options });
  later(() => journal.close());
  return journal;
}

/** A read-only view that is closed after the test. */
export async function view(home: string, options: { folder?: string; sqlite?: boolean } = {}): Promise<JournalReader> {
  const reader = await openJournalReader({ home, workspace: join(home, 'project'), ...options });
  later(() => reader.close());
  return reader;
}

export async function all(journal: Pick<Journal, 'read'>, filter: EventFilter = {}): Promise<(AnyEvent | { gap: Gap })[]> {
  const items: (AnyEvent | { gap: Gap })[] = [];
  for await (const item of journal.read(filter)) items.push(item);
  return items;
}

export async function events(journal: Pick<Journal, 'read'>, filter: EventFilter = {}): Promise<AnyEvent[]> {
  return (await all(journal, filter)).flatMap((item) => ('gap' in item ? [] : [item]));
}

export async function gaps(journal: Pick<Journal, 'read'>): Promise<Gap[]> {
  return (await all(journal)).flatMap((item) => ('gap' in item ? [item.gap] : []));
}

/** Everything on disk below a folder, as one string; for looking for what must not be there. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => '')).includes(text)) found.push(join(entry.parentPath, entry.name));
  }
  return found;
}

export async function everythingIn(folder: string): Promise<string> {
  let text = '';
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A temporary file may be renamed between the listing and the reading.
    if (entry.isFile()) text += await readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => '');
  }
  return text;
}

/** Resolves when the condition holds; asked again whenever `journal` has news, and on every turn of a short timer. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 8000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
