import { linesPerSlice, type LinesSlice, type LineView } from '../../extension/shared/review-protocol.ts';
import { languageOf, loadLanguage, type Token, tokensOf } from './highlight.ts';

type Side = 'base' | 'proposed';

interface Slice {
  lines: LineView[] | undefined;
  tokens: Token[][] | undefined;
}

/** Slices kept; the ones not asked for longest go first. */
const KEPT = 80;

export interface LinesDeps {
  ask(file: string, content: string, side: Side, from: number, to: number): Promise<LinesSlice | undefined>;
  /** Something arrived that rows were waiting for. */
  changed(): void;
}

/** The lines of one file's content, fetched a slice at a time when a row that shows one is drawn. */
export class FileLines {
  private readonly slices = new Map<string, Slice>();
  private readonly language: string | undefined;
  private coloured = false;

  constructor(
    private readonly file: string,
    readonly content: string,
    private readonly deps: LinesDeps,
  ) {
    this.language = languageOf(file);
    if (this.language !== undefined) void this.colour(this.language);
  }

  /** A line from 0, or undefined while it is on its way. */
  line(side: Side, at: number): LineView | undefined {
    return this.slice(side, at).lines?.[at % linesPerSlice];
  }

  tokens(side: Side, at: number): Token[] | undefined {
    const slice = this.slice(side, at);
    if (slice.lines === undefined || !this.coloured || this.language === undefined) return undefined;
    slice.tokens ??= tokensOf(slice.lines.map((line) => line.text), this.language) ?? [];
    return slice.tokens[at % linesPerSlice];
  }

  private slice(side: Side, at: number): Slice {
    const from = at - (at % linesPerSlice);
    const key = `${side} ${from}`;
    const known = this.slices.get(key);
    const slice: Slice = known ?? { lines: undefined, tokens: undefined };
    if (known !== undefined) this.slices.delete(key);
    this.slices.set(key, slice);
    if (known === undefined) void this.load(slice, side, from);
    const [oldest] = this.slices.keys();
    if (this.slices.size > KEPT && oldest !== undefined) this.slices.delete(oldest);
    return slice;
  }

  private async load(slice: Slice, side: Side, from: number): Promise<void> {
    const answer = await this.deps.ask(this.file, this.content, side, from, from + linesPerSlice);
    slice.lines = answer?.lines ?? [];
    this.deps.changed();
  }

  private async colour(language: string): Promise<void> {
    if (!(await loadLanguage(language))) return;
    this.coloured = true;
    this.deps.changed();
  }
}
