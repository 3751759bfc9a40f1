import { isFailure } from '../../core/base/failure.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { type Hunk, splitHunk } from '../../core/review/files/hunks.ts';
import type { Act, FileView, ReviewDesk } from '../../core/review/port.ts';
import { textOfBytes } from '../../core/review/desk/present.ts';
import type { Terminal } from '../terminal.ts';
import type { Edit } from './editor.ts';
import { fileHeading, hunkAsText, type Paint } from './paint.ts';

export interface SittingDeps {
  desk: ReviewDesk;
  terminal: Terminal;
  paint: Paint;
  editText: (text: string, name: string) => Promise<Edit>;
  signal: AbortSignal;
}

const help = `y  accept this hunk
n  reject this hunk
e  edit what it proposes in your editor; nothing is decided by that
s  split it into smaller hunks
a  accept this and everything undecided after it in this file
d  reject this and everything undecided after it in this file
j  leave it undecided, go on to the next
k  go back to the one before
q  stop; what is undecided stays so
?  this help
`;

const changedMeanwhile = 'The files have changed meanwhile; this is the set as it is now.';

/** Where the person is: a file, a hunk in it, and whether decided hunks are passed over on the way there. */
interface Place {
  file: number;
  hunk: number;
  seek: boolean;
}

/** One person going through a set at a terminal. Each answer is recorded at once; leaving early loses nothing. Resolves with the set as it then is. */
export class Sitting {
  private place: Place = { file: 0, hunk: 0, seek: true };
  /** Hunks the person has split, by their id. */
  private readonly splits = new Map<string, Hunk[]>();
  private headed = '';

  constructor(
    private readonly deps: SittingDeps,
    private state: SetState,
  ) {}

  async run(): Promise<SetState> {
    while (this.state.status === 'pending') {
      const file = this.state.files[this.place.file];
      if (file === undefined) break;
      const view = await this.deps.desk.file(this.state.id, file.key, this.deps.signal);
      if (view.revision !== this.state.revision) {
        this.state = await this.deps.desk.state(this.state.id);
        this.startAnew(changedMeanwhile);
        continue;
      }
      const hunks = view.review.hunks.flatMap((hunk) => this.splits.get(hunk.id) ?? [hunk]);
      const at = this.place.seek ? hunks.findIndex((hunk, index) => index >= this.place.hunk && !view.decisions.has(hunk.id)) : Math.min(this.place.hunk, hunks.length - 1);
      const hunk = hunks[at];
      if (hunk === undefined) {
        this.place = { file: this.place.file + 1, hunk: 0, seek: true };
        continue;
      }
      this.place.hunk = at;
      this.show(view, hunk, at, hunks.length);
      if (!(await this.answer(view, hunks, hunk))) break;
    }
    return this.state;
  }

  private show(view: FileView, hunk: Hunk, at: number, of: number): void {
    const { terminal, paint } = this.deps;
    if (this.headed !== view.file.key) terminal.write(`\n${fileHeading(view, paint)}`);
    this.headed = view.file.key;
    terminal.write(hunkAsText(view, hunk, paint));
    const decided = view.decisions.get(hunk.id);
    terminal.write(`(${at + 1}/${of})${decided === undefined ? '' : ` ${decided}ed`} Accept this hunk [y,n,e,s,a,d,j,k,q,?]? `);
  }

  /** False when the person wants to stop. */
  private async answer(view: FileView, hunks: readonly Hunk[], hunk: Hunk): Promise<boolean> {
    const { terminal, signal } = this.deps;
    const key = await terminal.key(signal);
    terminal.write(`${key !== undefined && /^[ -~]$/u.test(key) ? key : ''}\n`);
    switch (key) {
      case undefined:
      case 'q':
        return false;
      case 'y':
      case 'n':
        return this.decide(view, [hunk], key === 'y' ? 'accept' : 'reject');
      case 'a':
      case 'd':
        return this.decide(view, hunks.slice(hunks.indexOf(hunk)).filter((one) => one === hunk || !view.decisions.has(one.id)), key === 'a' ? 'accept' : 'reject');
      case 'e':
        return this.edit(view, hunk);
      case 's':
        this.split(hunk);
        return true;
      case 'j':
        this.place = { ...this.place, hunk: this.place.hunk + 1, seek: true };
        return true;
      case 'k':
        this.back();
        return true;
      default:
        terminal.write(help);
        this.place.seek = false;
        return true;
    }
  }

  private async decide(view: FileView, hunks: readonly Hunk[], decision: 'accept' | 'reject'): Promise<boolean> {
    await this.act(view, (act) => this.deps.desk.decide(this.state.id, hunks.map((hunk) => ({ file: view.file.key, hunk: hunk.id, decision })), act));
    this.place.seek = true;
    return true;
  }

  private async edit(view: FileView, hunk: Hunk): Promise<boolean> {
    const { desk, editText, terminal } = this.deps;
    this.place.seek = false;
    const whole = hunk.kind === 'entry' && hunk.what === 'create' && view.review.proposed.kind === 'file' ? textOfBytes(view.review.proposed.bytes) : undefined;
    const text = hunk.kind === 'lines' && !hunk.id.includes('.') ? hunk.added.map((line) => `${line.text}\n`).join('') : whole;
    if (text === undefined) {
      terminal.write('Only hunks of lines (before they are split) and new files of text can be edited here.\n');
      return true;
    }
    const edited = await editText(text, view.file.path);
    if (edited.text === undefined) {
      terminal.write(`${edited.why}\n`);
      return true;
    }
    const [{ key }, words] = [view.file, edited.text];
    const kept = await this.act(view, (act) => (whole === undefined ? desk.editHunk(this.state.id, key, hunk.id, words, act) : desk.edit(this.state.id, key, words, act)));
    if (kept) terminal.write('This is your text now; y accepts it.\n');
    return true;
  }

  private split(hunk: Hunk): void {
    this.place.seek = false;
    const whole = hunk.kind === 'lines' && !hunk.id.includes('.') ? hunk : undefined;
    const parts = whole === undefined ? [] : [splitHunk(whole, 'pairs'), splitHunk(whole, 'lines')].find((found) => found.length > 1);
    if (whole === undefined || parts === undefined || parts.length === 0) this.deps.terminal.write('This hunk has no smaller parts.\n');
    else this.splits.set(whole.id, parts);
  }

  private back(): void {
    const { file, hunk } = this.place;
    if (hunk > 0) this.place = { file, hunk: hunk - 1, seek: false };
    else this.place = { file: Math.max(0, file - 1), hunk: file === 0 ? 0 : Number.MAX_SAFE_INTEGER, seek: false };
  }

  /** Carries out one act on the set as the person saw it; where it changed under them, they look again. False when it was not carried out. */
  private async act(view: FileView, perform: (act: Act) => Promise<SetState>): Promise<boolean> {
    try {
      this.state = await perform({ via: 'cli', revision: view.revision });
    } catch (error) {
      if (!isFailure(error, 'stale_revision', 'not_found', 'settled')) throw error;
      this.state = await this.deps.desk.state(this.state.id);
      this.startAnew(error.message);
      return false;
    }
    // Found when it was to be written: what was decided before no longer stands for the files that changed.
    if (this.state.status === 'pending' && this.state.revision !== view.revision) this.startAnew(changedMeanwhile);
    return true;
  }

  private startAnew(why: string): void {
    this.deps.terminal.write(`${why}\n`);
    this.place = { file: 0, hunk: 0, seek: true };
    this.splits.clear();
    this.headed = '';
  }
}
