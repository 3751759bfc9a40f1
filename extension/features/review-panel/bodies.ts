import { lineForPeople } from '../../core/base/untrusted.ts';
import { refName, shownRef, type SetState } from '../../core/review/desk/state.ts';
import { decodeSteps, joinLines, type Line } from '../../core/review/files/document.ts';
import type { Content } from '../../core/review/files/file-review.ts';
import { type Hunk, type LinesHunk, splitHunk } from '../../core/review/files/hunks.ts';
import { runInSlices } from '../../core/review/files/slices.ts';
import { type Warning, whitespaceOnly } from '../../core/review/files/warnings.ts';
import type { FileView, ReviewDesk } from '../../core/review/port.ts';
import { charactersPerLine, type FileBody, type HunkView, hunksPerFile, linesPerSlice, type LinesSlice, type LineView, type PartView, type ReviewAnswers, type SearchHit, type SideFacts } from '../../shared/review-protocol.ts';

/** Views kept, so that the slices of a file on screen are cut from one comparison. */
const KEPT_VIEWS = 4;
/** A hunk of more lines is not decided line by line, one of more characters not edited in the panel. */
const MAX_PARTS = 1000;
const MAX_EDIT = 200_000;
const MAX_HITS = 200;

interface Shown {
  view: FileView;
  content: string;
  sides: { base: readonly Line[]; proposed: readonly Line[] } | undefined;
  why?: string;
  encoding?: string;
}

/** The files of one set as the panel asks for them: where hunks are, and lines in slices. Rejects like `ReviewDesk.file`. */
export class Bodies {
  private readonly kept = new Map<string, Shown>();

  constructor(
    private readonly set: string,
    private readonly desk: Pick<ReviewDesk, 'file'>,
  ) {}

  /** Always asks the desk: decisions may have changed. */
  async file(file: string): Promise<FileBody> {
    return bodyOf(file, await this.look(file));
  }

  /** Lines of one side, from 0 and half-open, no more than a slice of them. Empty when the content has changed meanwhile. */
  async lines(file: string, content: string, side: 'base' | 'proposed', from: number, to: number): Promise<LinesSlice> {
    const known = this.kept.get(file);
    const shown = known?.content === content ? known : await this.look(file);
    const lines = shown.content === content ? (shown.sides?.[side] ?? []) : [];
    return { from, lines: lines.slice(from, Math.min(to, from + linesPerSlice)).map(lineView) };
  }

  /** A hunk in single lines. */
  async parts(file: string, hunk: string): Promise<ReviewAnswers['parts']> {
    const { view } = await this.look(file);
    const found = groupsOf(view.review.hunks).find((one) => one.id === hunk);
    const parts = found === undefined || found.parts.length > 0 ? (found?.parts ?? []) : found.hunk.kind === 'lines' && found.hunk.removed.length + found.hunk.added.length <= MAX_PARTS ? splitHunk(found.hunk, 'lines') : [];
    return parts.length === 0 ? { tooLarge: true } : { parts: parts.map((part) => partView(part, view.decisions)) };
  }

  /** What a hunk proposes, exactly; for a new file all of it. Of one that was decided in parts, what comes of it as it is decided so far. */
  async hunkText(file: string, hunk: string): Promise<ReviewAnswers['hunkText']> {
    const { view, sides } = await this.look(file);
    const found = groupsOf(view.review.hunks).find((one) => one.id === hunk);
    const decided = (part: LinesHunk): readonly Line[] => (view.decisions.get(part.id) === 'reject' ? part.removed : part.added);
    const lines = found === undefined ? undefined : found.parts.length > 0 ? found.parts.flatMap(decided) : found.hunk.kind === 'lines' ? found.hunk.added : found.hunk.kind === 'entry' && found.hunk.what === 'create' ? sides?.proposed : undefined;
    const text = lines === undefined ? undefined : joinLines(lines);
    return text === undefined || text.length > MAX_EDIT ? { tooLarge: true } : { text };
  }

  /** Changed lines that hold the text, in any case; stops after a few hundred, or when the signal aborts. */
  async search(files: readonly string[], text: string, signal: AbortSignal): Promise<ReviewAnswers['search']> {
    const wanted = text.toLowerCase();
    const hits: SearchHit[] = [];
    for (const file of files) {
      if (signal.aborted) return { hits: [], more: false };
      const { view, sides } = await this.read(file, signal);
      for (const hunk of view.review.hunks) {
        hits.push(...hitsIn(file, hunk, sides, wanted, MAX_HITS + 1 - hits.length));
        if (hits.length > MAX_HITS) return { hits: hits.slice(0, MAX_HITS), more: true };
      }
    }
    return { hits, more: false };
  }

  /** What a person should confirm before these files are accepted. */
  async warnings(files: readonly string[]): Promise<{ file: string; warnings: Warning[] }[]> {
    const found: { file: string; warnings: Warning[] }[] = [];
    for (const file of files) {
      const { warnings } = await this.desk.file(this.set, file);
      if (warnings.length > 0) found.push({ file, warnings });
    }
    return found;
  }

  private async look(file: string): Promise<Shown> {
    const shown = await this.read(file);
    this.kept.delete(file);
    this.kept.set(file, shown);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_VIEWS && oldest !== undefined) this.kept.delete(oldest);
    return shown;
  }

  private async read(file: string, signal?: AbortSignal): Promise<Shown> {
    const view = await this.desk.file(this.set, file, signal);
    const { body, base, proposed, hunks } = view.review;
    const content = `${view.revision}:${refName(view.file.base)}:${refName(shownRef(view.file))}`;
    if (body.kind === 'lines') return { view, content, sides: { base: body.base.lines, proposed: body.proposed.lines }, encoding: body.proposed.encoding };
    if (body.kind === 'whole') return { view, content, sides: undefined, why: body.why };
    const entry = hunks.find((hunk) => hunk.kind === 'entry' && (hunk.what === 'create' || hunk.what === 'delete'));
    const only = entry === undefined ? undefined : base.kind === 'file' ? base : proposed;
    if (only?.kind !== 'file') return { view, content, sides: undefined };
    const text = await runInSlices(decodeSteps(only.bytes), signal === undefined ? {} : { signal });
    if (text.kind === 'whole') return { view, content, sides: undefined, why: text.why };
    return { view, content, sides: base.kind === 'file' ? { base: text.lines, proposed: [] } : { base: [], proposed: text.lines }, encoding: text.encoding };
  }
}

/** Keys of files in which something is still to be decided. */
export function undecidedFiles(state: SetState): string[] {
  return state.files.filter((file) => file.left > 0).map((file) => file.key);
}

function bodyOf(file: string, { view, content, sides, why, encoding }: Shown): FileBody {
  const { review } = view;
  const blank = new Set(whitespaceOnly(review.hunks));
  const groups = groupsOf(review.hunks);
  return {
    file,
    revision: view.revision,
    content,
    lines: sides === undefined ? undefined : { base: sides.base.length, proposed: sides.proposed.length },
    ...(why === undefined ? {} : { why }),
    ...(encoding === undefined ? {} : { encoding }),
    base: facts(review.base, view.file.base),
    proposed: facts(review.proposed, shownRef(view.file)),
    hunks: groups.slice(0, hunksPerFile).map((group) => hunkView(group, view, sides, blank)),
    hunkCount: groups.length,
    warnings: view.warnings,
  };
}

/** A change as it is drawn: a hunk, or the parts in which one was decided. `hunk` is then the first of them. */
interface Group {
  id: string;
  hunk: Hunk;
  parts: LinesHunk[];
}

/** The desk gives a hunk that was decided in parts as those parts, one after another; here they are one change again. */
function groupsOf(hunks: readonly Hunk[]): Group[] {
  const groups: Group[] = [];
  for (const hunk of hunks) {
    const [whole = '', part] = hunk.id.split('.');
    const last = groups.at(-1);
    if (hunk.kind !== 'lines' || part === undefined) groups.push({ id: hunk.id, hunk, parts: [] });
    else if (last?.id === whole) last.parts.push(hunk);
    else groups.push({ id: whole, hunk, parts: [hunk] });
  }
  return groups;
}

function hunkView({ id, hunk, parts }: Group, view: FileView, sides: Shown['sides'], blank: ReadonlySet<string>): HunkView {
  const decision = parts.length === 0 ? view.decisions.get(id) : undefined;
  const origin = view.origins.get(id);
  const any = (ids: ReadonlySet<string>): boolean => ids.has(id) || parts.some((part) => ids.has(part.id));
  return {
    ...(parts.length === 0 ? place(hunk, sides) : around(parts)),
    id,
    kind: hunk.kind === 'entry' ? hunk.what : hunk.kind,
    ...(hunk.kind === 'final_newline' ? { adds: hunk.adds } : {}),
    ...(decision === undefined ? {} : { decision }),
    ...(any(view.edited) ? { edited: true } : {}),
    ...(any(view.conflicts) ? { conflict: true } : {}),
    ...(origin === undefined ? {} : { origin: origin.slice(0, linesPerSlice).map((line) => lineForPeople(line.slice(0, charactersPerLine))) }),
    ...(blank.has(id) ? { whitespace: true } : {}),
    ...(parts.length === 0 ? {} : { parts: parts.map((part) => partView(part, view.decisions)) }),
  };
}

/** From the first line of any part to the last. */
function around(parts: readonly LinesHunk[]): ReturnType<typeof place> {
  const bounds = (from: 'baseStart' | 'proposedStart', to: 'baseEnd' | 'proposedEnd'): [number, number] => {
    const filled = parts.filter((part) => part[to] > part[from]);
    const all = filled.length > 0 ? filled : parts;
    return [Math.min(...all.map((part) => part[from])), Math.max(...all.map((part) => part[to]))];
  };
  const [baseStart, baseEnd] = bounds('baseStart', 'baseEnd');
  const [proposedStart, proposedEnd] = bounds('proposedStart', 'proposedEnd');
  return { baseStart, baseEnd, proposedStart, proposedEnd };
}

/** A new or removed file stands on one side from its first line to its last. */
function place(hunk: Hunk, sides: Shown['sides']): Pick<HunkView, 'baseStart' | 'baseEnd' | 'proposedStart' | 'proposedEnd'> {
  if (hunk.kind === 'lines') return { baseStart: hunk.baseStart, baseEnd: hunk.baseEnd, proposedStart: hunk.proposedStart, proposedEnd: hunk.proposedEnd };
  const base = sides?.base.length ?? 0;
  const proposed = sides?.proposed.length ?? 0;
  if (hunk.kind === 'final_newline') return { baseStart: base, baseEnd: base, proposedStart: proposed, proposedEnd: proposed };
  const whole = hunk.what === 'create' || hunk.what === 'delete';
  return { baseStart: 0, baseEnd: whole ? base : 0, proposedStart: 0, proposedEnd: whole ? proposed : 0 };
}

function partView(part: LinesHunk, decisions: FileView['decisions']): PartView {
  const { id, baseStart, baseEnd, proposedStart, proposedEnd } = part;
  const decision = decisions.get(id);
  return { id, baseStart, baseEnd, proposedStart, proposedEnd, ...(decision === undefined ? {} : { decision }) };
}

function facts(content: Content, ref: FileView['file']['base']): SideFacts {
  if (content.kind === 'absent') return { kind: 'absent' };
  if (content.kind === 'link') return { kind: 'link', target: lineForPeople(content.target) };
  return { kind: 'file', size: content.bytes.length, ...(ref.kind === 'file' ? { hash: ref.hash } : {}), ...(content.mode === undefined ? {} : { mode: content.mode }) };
}

const endNames = { '': '', '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const;

function lineView({ text, end }: Line): LineView {
  const shown = lineForPeople(text.length > charactersPerLine ? text.slice(0, charactersPerLine).replace(/[\uD800-\uDBFF]$/u, '') : text);
  return { text: shown, end: endNames[end], ...(text.length > charactersPerLine ? { length: text.length } : {}) };
}

function hitsIn(file: string, hunk: Hunk, sides: Shown['sides'], wanted: string, room: number): SearchHit[] {
  const { baseStart, baseEnd, proposedStart, proposedEnd } = place(hunk, sides);
  const found: SearchHit[] = [];
  for (const [side, from, to] of [['base', baseStart, baseEnd], ['proposed', proposedStart, proposedEnd]] as const) {
    for (let at = from; at < to && found.length < room; at += 1) {
      const text = sides?.[side][at]?.text ?? '';
      const index = text.toLowerCase().indexOf(wanted);
      if (index >= 0) found.push({ file, side, line: at + 1, text: lineForPeople(text.slice(Math.max(0, index - 40), index + 120).trim()) });
    }
  }
  return found;
}
