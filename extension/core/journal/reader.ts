import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/failure.ts';
import { type Logger, nullLogger } from '../base/logger.ts';
import { FileBlobs } from './blobs.ts';
import { exportHtml } from './exports/html.ts';
import { exportJsonLines } from './exports/json-lines.ts';
import { canonicalPath, workspaceKey } from './home.ts';
import type { Catalog } from './index/catalog.ts';
import { MemoryCatalog } from './index/memory-catalog.ts';
import { openSqliteCatalog } from './index/sqlite-catalog.ts';
import { type Layout, layoutOf } from './layout.ts';
import { Library } from './library.ts';
import type { BlobStore, CaseListing, EventFilter, Journal } from './port.ts';
import { Sessions } from './sessions.ts';
import { type Verification, verifyJournal } from './verify.ts';

/** What can be done with a record without writing to it. */
export interface JournalReader extends Pick<Journal, 'folder' | 'blobs' | 'read' | 'listCases' | 'search' | 'sessionState'> {
  /** Resolves when everything that is on disk now is indexed, so that listings and searches are complete. */
  whenIndexed(): Promise<void>;
  verify(signal?: AbortSignal): Promise<Verification>;
  /** One case as one self-contained HTML page, or as JSON lines (events, then gaps); blobs are left out. Rejects with Failure `not_found`. */
  exportCase(caseId: string, format: 'html' | 'jsonl', signal?: AbortSignal): Promise<string>;
}

export interface OpenReaderOptions {
  home: string;
  workspace: string;
  folder?: string;
  logger?: Logger;
  sqlite?: boolean;
}

/** Opens a record for reading only: no session is made, nothing but the index (a cache) is written. An absent record is an empty one. */
export async function openJournalReader(options: OpenReaderOptions): Promise<JournalReader & { close(): Promise<void> }> {
  const root = options.folder ?? join(options.home, 'workspaces', workspaceKey(await canonicalPath(options.workspace)));
  const layout = layoutOf(root);
  const reader = new Reader({ layout, logger: (options.logger ?? nullLogger).child('journal'), sqlite: options.sqlite ?? true, sessions: new Sessions(layout, undefined), blobs: new FileBlobs(layout) });
  return Object.assign(reader, { close: () => reader.closeReader() });
}

export interface ReaderParts {
  layout: Layout;
  logger: Logger;
  sqlite: boolean;
  sessions: Sessions;
  blobs: BlobStore;
}

/** The reading half, shared by the journal and the read-only view of it. */
export class Reader implements JournalReader {
  protected readonly layout: Layout;
  protected readonly logger: Logger;
  protected readonly sessions: Sessions;
  protected readonly library: Library;
  readonly blobs: BlobStore;

  constructor(parts: ReaderParts) {
    this.layout = parts.layout;
    this.logger = parts.logger;
    this.sessions = parts.sessions;
    this.blobs = parts.blobs;
    this.library = new Library({
      layout: parts.layout,
      blobs: parts.blobs,
      logger: parts.logger,
      openCatalog: (fresh) => openCatalog(parts, fresh),
      mayBeWriting: async (session) => ['own', 'alive', 'unknown'].includes(await parts.sessions.state(session)),
    });
  }

  get folder(): string {
    return this.layout.root;
  }

  read(filter: EventFilter): ReturnType<Library['read']> {
    return this.library.read(filter);
  }

  listCases(options?: { limit?: number; offset?: number; text?: string }): Promise<CaseListing[]> {
    return this.library.listCases(options);
  }

  search(text: string, limit?: number): ReturnType<Library['search']> {
    return this.library.search(text, limit);
  }

  whenIndexed(): Promise<void> {
    return this.library.whenIndexed();
  }

  sessionState(session: string): ReturnType<Sessions['state']> {
    return this.sessions.state(session);
  }

  verify(signal?: AbortSignal): Promise<Verification> {
    return verifyJournal(this.layout, this.blobs, signal);
  }

  exportCase(caseId: string, format: 'html' | 'jsonl', signal?: AbortSignal): Promise<string> {
    const items = this.read({ case: caseId });
    return format === 'html' ? exportHtml(caseId, items, signal) : exportJsonLines(caseId, items, this.layout, signal);
  }

  async closeReader(): Promise<void> {
    await this.library.close();
  }
}

async function openCatalog({ layout, logger, sqlite }: ReaderParts, fresh: boolean): Promise<Catalog> {
  if (!sqlite) return new MemoryCatalog();
  try {
    if (fresh) for (const end of ['', '-wal', '-shm']) rmSync(`${layout.index}${end}`, { force: true });
    return await openSqliteCatalog(layout.index);
  } catch (error) {
    logger.info('working without the index on disk', { error: messageOf(error) });
    return new MemoryCatalog();
  }
}
