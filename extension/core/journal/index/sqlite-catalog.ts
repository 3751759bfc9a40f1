import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type ListingFacts, pageOfListings } from '../listing.ts';
import type { SeenMark } from '../order.ts';
import type { CaseListing, EventFilter, Gap } from '../port.ts';
import { type Batch, type Catalog, mergeFacts, type Position, type Ref } from './catalog.ts';

/** Another number than the file's means another layout: the file is thrown away and built again. */
const layoutVersion = 1;

const schema = `
  CREATE TABLE IF NOT EXISTS segments (id INTEGER PRIMARY KEY, session TEXT NOT NULL, segment TEXT NOT NULL, offset INTEGER NOT NULL, inode REAL NOT NULL, changed REAL NOT NULL, UNIQUE (session, segment));
  CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, segment_id INTEGER NOT NULL, seq INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, ts TEXT NOT NULL, kind TEXT NOT NULL, case_id TEXT, run_id TEXT, set_id TEXT);
  CREATE INDEX IF NOT EXISTS events_segment ON events (segment_id);
  CREATE INDEX IF NOT EXISTS events_case ON events (case_id);
  CREATE INDEX IF NOT EXISTS events_run ON events (run_id);
  CREATE INDEX IF NOT EXISTS events_set ON events (set_id);
  CREATE TABLE IF NOT EXISTS marks (segment_id INTEGER NOT NULL, seq INTEGER NOT NULL, other TEXT NOT NULL, count INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS marks_segment ON marks (segment_id);
  CREATE TABLE IF NOT EXISTS gaps (segment_id INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, why TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS facts (segment_id INTEGER NOT NULL, case_id TEXT NOT NULL, json TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS facts_segment ON facts (segment_id);
  CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (text, content='', contentless_delete=1, tokenize='unicode61');
`;

/**
 * Opens the index on disk. A file that is broken or of another layout is deleted and made anew, because it is only a cache.
 * Rejects when this Node has no node:sqlite (then use `MemoryCatalog`). The file is 0600 and deleted text is overwritten.
 */
export async function openSqliteCatalog(path: string): Promise<Catalog> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    return new SqliteCatalog(openDatabase(DatabaseSync, path));
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    return new SqliteCatalog(openDatabase(DatabaseSync, path));
  }
}

function openDatabase(Database: typeof DatabaseSync, path: string): DatabaseSync {
  // SQLite gives its side files the mode of the main one, so that has to be private from the start.
  closeSync(openSync(path, 'a', 0o600));
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 4000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8000');
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version !== 0 && version !== layoutVersion) throw new Error(`index layout ${version}`);
    database.exec(`${schema} PRAGMA user_version = ${layoutVersion}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqliteCatalog implements Catalog {
  private readonly statements = new Map<string, StatementSync>();

  constructor(private readonly database: DatabaseSync) {}

  position(session: string, segment: string): Position | undefined {
    const row = this.prepared('SELECT offset, inode, changed FROM segments WHERE session = ? AND segment = ?').get(session, segment);
    return row === undefined ? undefined : { offset: Number(row['offset']), inode: Number(row['inode']), changed: Number(row['changed']) };
  }

  segments(): { session: string; segment: string }[] {
    return this.prepared('SELECT session, segment FROM segments')
      .all()
      .map((row) => ({ session: String(row['session']), segment: String(row['segment']) }));
  }

  add(batch: Batch): boolean {
    return this.inTransaction(() => {
      const { session, segment, position } = batch;
      const known = this.prepared('SELECT id, offset FROM segments WHERE session = ? AND segment = ?').get(session, segment);
      // Another process may have indexed this stretch meanwhile; adding it again would count its events twice.
      if (Number(known?.['offset'] ?? 0) !== batch.from) return false;
      const id = known === undefined ? this.insert('INSERT INTO segments (session, segment, offset, inode, changed) VALUES (?, ?, ?, ?, ?)', session, segment, position.offset, position.inode, position.changed) : Number(known['id']);
      if (known !== undefined) this.prepared('UPDATE segments SET offset = ?, inode = ?, changed = ? WHERE id = ?').run(position.offset, position.inode, position.changed, id);
      for (const { ref, text } of batch.entries) {
        const row = this.insert(
          'INSERT INTO events (segment_id, seq, offset, length, ts, kind, case_id, run_id, set_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          id,
          ref.seq,
          ref.offset,
          ref.length,
          ref.ts,
          ref.kind,
          ref.case ?? null,
          ref.run ?? null,
          ref.set ?? null,
        );
        if (text !== '') this.insert('INSERT INTO texts (rowid, text) VALUES (?, ?)', row, text);
      }
      for (const mark of batch.marks) this.insert('INSERT INTO marks (segment_id, seq, other, count) VALUES (?, ?, ?, ?)', id, mark.seq, mark.other, mark.count);
      for (const gap of batch.gaps) this.insert('INSERT INTO gaps (segment_id, offset, length, why) VALUES (?, ?, ?, ?)', id, gap.offset, gap.length, gap.why);
      for (const facts of batch.facts) this.insert('INSERT INTO facts (segment_id, case_id, json) VALUES (?, ?, ?)', id, facts.case, JSON.stringify(facts));
      return true;
    });
  }

  forget(session: string, segment: string): void {
    this.inTransaction(() => {
      const id = this.prepared('SELECT id FROM segments WHERE session = ? AND segment = ?').get(session, segment)?.['id'];
      if (id === undefined || id === null) return;
      this.prepared('DELETE FROM texts WHERE rowid IN (SELECT id FROM events WHERE segment_id = ?)').run(id);
      for (const table of ['events', 'marks', 'gaps', 'facts']) this.prepared(`DELETE FROM ${table} WHERE segment_id = ?`).run(id);
      this.prepared('DELETE FROM segments WHERE id = ?').run(id);
    });
  }

  purge(): void {
    // Deleted words only carry a tombstone until the full text's parts are merged; the log holds old pages until it is folded in.
    this.database.exec(`INSERT INTO texts (texts) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)`);
  }

  refs(filter: EventFilter): { refs: Ref[]; marks: SeenMark[]; gaps: Gap[] } {
    const { where, values } = conditions(filter);
    const rows = this.prepared(`SELECT s.session, s.segment, e.seq, e.offset, e.length, e.ts, e.kind, e.case_id, e.run_id, e.set_id FROM events e JOIN segments s ON s.id = e.segment_id ${where}`).all(...values);
    const marks = this.prepared('SELECT s.session, m.seq, m.other, m.count FROM marks m JOIN segments s ON s.id = m.segment_id').all();
    const gaps = this.prepared('SELECT s.session, s.segment, g.offset, g.length, g.why FROM gaps g JOIN segments s ON s.id = g.segment_id').all();
    return {
      refs: rows.map(refOf),
      marks: marks.map((row) => ({ session: String(row['session']), seq: Number(row['seq']), other: String(row['other']), count: Number(row['count']) })),
      gaps: gaps.map((row) => ({ session: String(row['session']), segment: String(row['segment']), offset: Number(row['offset']), length: Number(row['length']), why: String(row['why']) })),
    };
  }

  listings(options?: { limit?: number; offset?: number; text?: string }): CaseListing[] {
    const merged = new Map<string, ListingFacts>();
    // Written by this class only, from a checked type.
    for (const row of this.prepared('SELECT json FROM facts').all()) mergeFacts(merged, JSON.parse(String(row['json'])) as ListingFacts);
    return pageOfListings(merged.values(), options);
  }

  search(text: string, limit: number): Ref[] {
    const query = toQuery(text);
    if (query === '') return [];
    return this.prepared(
      `SELECT s.session, s.segment, e.seq, e.offset, e.length, e.ts, e.kind, e.case_id, e.run_id, e.set_id
       FROM texts t JOIN events e ON e.id = t.rowid JOIN segments s ON s.id = e.segment_id WHERE texts MATCH ? ORDER BY e.ts DESC LIMIT ?`,
    )
      .all(query, limit)
      .map(refOf);
  }

  close(): void {
    this.database.close();
  }

  private prepared(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  private insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepared(sql).run(...values).lastInsertRowid);
  }

  /** After some failures (a full disk) SQLite has rolled back by itself; that there is nothing left to do must not hide why. */
  private rollBack(): void {
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // Whoever called throws the error that led here.
    }
  }

  private inTransaction<T>(task: () => T): T {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const result = task();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }
}

function conditions(filter: EventFilter): { where: string; values: string[] } {
  const parts: string[] = [];
  const values: string[] = [];
  for (const [column, value] of [
    ['case_id', filter.case],
    ['run_id', filter.run],
    ['set_id', filter.set],
  ] as const) {
    if (value === undefined) continue;
    parts.push(`e.${column} = ?`);
    values.push(value);
  }
  if (filter.kinds !== undefined) {
    parts.push(`e.kind IN (${filter.kinds.map(() => '?').join(', ')})`);
    values.push(...filter.kinds);
  }
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

function refOf(row: Record<string, unknown>): Ref {
  const optional = { case: row['case_id'], run: row['run_id'], set: row['set_id'] };
  const named = Object.fromEntries(Object.entries(optional).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return { session: String(row['session']), segment: String(row['segment']), seq: Number(row['seq']), offset: Number(row['offset']), length: Number(row['length']), ts: String(row['ts']), kind: String(row['kind']), ...named };
}

/** Each word quoted, so that nothing a user types is query syntax; the last one as a beginning. */
function toQuery(text: string): string {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.map((word, index) => `"${word.replaceAll('"', '""')}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}
