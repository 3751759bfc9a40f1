import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { makeRepository, packFixture } from './fixtures.ts';
import { node, root, vsix } from './paths.ts';
import { Calls, eventsOf, type RecordedEvent } from './review.ts';
import { Session } from './session.ts';

export interface SceneOptions {
  name: string;
  /** Content of the repository that is opened, by path. */
  files: Record<string, string>;
  settings?: Record<string, unknown>;
}

/** What a terminal command ended with. */
export interface Ended {
  code: number;
  out: string;
}

/** A workbench on a repository with Casebook and the scripted caller in it, and a terminal beside it. */
export class ReviewScene {
  private asked = 0;

  private constructor(
    readonly session: Session,
    readonly folder: string,
    readonly calls: Calls,
  ) {}

  static async start({ name, files, settings }: SceneOptions): Promise<ReviewScene> {
    const folder = await makeRepository('numbers', files);
    const calls = new Calls(join(await realpath(await mkdtemp(join(tmpdir(), 'casebook-calls-'))), 'calls'));
    const session = await Session.start({ name, extensions: [vsix, await packFixture('scripted-caller')], folder, ...(settings && { settings }), env: { CASEBOOK_TEST_CALLS: calls.folder } });
    await session.workbench.showContainer('Casebook');
    await session.workbench.tree('Reviews').pane.waitFor();
    return new ReviewScene(session, folder, calls);
  }

  /** Ends it all; fails when a process was left behind. */
  async stop(): Promise<void> {
    const left = await this.session.stop();
    await Promise.all([this.folder, this.calls.folder].map((path) => rm(dirname(path), { recursive: true, force: true })));
    expect(left).toEqual([]);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  onDisk(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(this.path(name), text);
  }

  events(kind: string): Promise<RecordedEvent[]> {
    return eventsOf(this.session.server.casebookHome, kind);
  }

  /** The id of the set with this title, once it is proposed. */
  async set(title: string): Promise<string> {
    const find = async (): Promise<string | undefined> => (await this.events('changeset.proposed')).find(({ body }) => (body['changeSet'] as { title: string }).title === title)?.set;
    await expect.poll(find).toBeDefined();
    return (await find()) ?? '';
  }

  /** How the sets with this title were settled. */
  async settled(title: string): Promise<Record<string, unknown>[]> {
    const set = await this.set(title);
    return (await this.events('changeset.settled')).filter((event) => event.set === set).map(({ body }) => body);
  }

  /** Changes settings as a person does in the file, and waits until the editor has them. */
  async configure(settings: Record<string, unknown>): Promise<void> {
    await this.session.configure(settings);
    for (const [id, value] of Object.entries(settings)) {
      await expect.poll(async () => {
        const name = `setting-${(this.asked += 1)}`;
        await this.calls.make(name, { setting: id });
        return this.calls.answer(name);
      }).toEqual(value);
    }
  }

  /** `casebook …` as somebody runs it in a terminal beside the window, on the same record. */
  cli(...args: string[]): Promise<Ended> {
    return new Promise((done) => {
      execFile(node, [join(root, 'dist/cli.js'), ...args, '--repo', this.folder, '--home', this.session.server.casebookHome], { cwd: this.folder }, (error, out, problems) => done({ code: error === null ? 0 : Number(error.code), out: `${out}${problems}` }));
    });
  }
}

/** Lines `line 1` … `line COUNT`, some of them as given. */
export function numbered(count: number, changed: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');
}
