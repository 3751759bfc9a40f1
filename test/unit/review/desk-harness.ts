import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../extension/core/base/clock.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { createMemoryJournal, type MemoryJournal } from '../../../extension/core/journal/memory.ts';
import type { CallerCapabilities } from '../../../extension/core/model/change.ts';
import { nodeDisk, type WriteDisk } from '../../../extension/core/review/apply/disk.ts';
import { createDesk } from '../../../extension/core/review/desk/desk.ts';
import type { DeskDeps } from '../../../extension/core/review/desk/deps.ts';
import type { SetState } from '../../../extension/core/review/desk/state.ts';
import type { Buffers, Caller, Outcome, ProposedFile, Proposal, ReviewDesk } from '../../../extension/core/review/port.ts';
import { newTree, quickDisk } from './trees.ts';

export const plainCaller: CallerCapabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true };

export interface Table {
  desk: ReviewDesk;
  journal: MemoryJournal;
  root: string;
  read: (path: string) => Promise<string>;
  /** Proposes one text for one file; `answer` settles with what the caller hears. */
  propose: (files: Record<string, string> | readonly ProposedFile[], options?: Partial<{ capabilities: CallerCapabilities; signal: AbortSignal; client: string; call: string; title: string }>) => Promise<{ set: string; answer: Promise<Outcome> }>;
  pending: () => Promise<SetState[]>;
}

/** A desk on a real folder with a journal in memory. */
export async function table(files: Record<string, string>, options: Partial<DeskDeps> & { disk?: WriteDisk; buffers?: Buffers; journal?: MemoryJournal } = {}): Promise<Table> {
  const { root, state } = await newTree(files);
  return tableOn(root, state, options);
}

export function tableOn(root: string, state: string, options: Partial<DeskDeps> & { journal?: MemoryJournal } = {}): Table {
  const journal = options.journal ?? createMemoryJournal();
  const desk = createDesk({
    clock: systemClock,
    logger: nullLogger,
    person: 'tester',
    roots: () => [{ name: 'w', path: root }],
    disk: quickDisk(nodeDisk()),
    stateFolder: state,
    finish: () => 'whenDecided',
    policies: () => [],
    observeMs: 400,
    ...options,
    journal,
  });
  return {
    desk,
    journal,
    root,
    read: (path) => readFile(join(root, path), 'utf8'),
    async propose(given, { capabilities = plainCaller, signal = new AbortController().signal, client = 'agent', call, title = 'A change' } = {}) {
      const list = Array.isArray(given) ? (given as ProposedFile[]) : Object.entries(given as Record<string, string>).map(([path, text]): ProposedFile => ({ root: 'w', path, proposed: { kind: 'text', text } }));
      let answer: Promise<Outcome> | undefined;
      const set = await new Promise<string>((resolve, reject) => {
        const caller: Caller = { name: client, capabilities, signal, onSet: resolve };
        const proposal: Proposal = { title, origin: { client, ...(call === undefined ? {} : { call }) }, disk: 'proposed', files: list };
        answer = desk.propose(proposal, caller);
        answer.then((outcome) => resolve(outcome.set), reject);
      });
      return { set, answer: answer as unknown as Promise<Outcome> };
    },
    pending: async () => (await desk.list()).pending,
  };
}

/** Ids of the hunks of a file, in file order. */
export async function hunksOf(desk: ReviewDesk, set: string, file: string): Promise<string[]> {
  return (await desk.file(set, file)).review.hunks.map((hunk) => hunk.id);
}
