/** What a person should see before accepting. `line`: in the proposal, from 1. */
export type Warning =
  /** The proposal is much shorter than the base: `from` lines to `to`. */
  | { kind: 'drops_lines'; from: number; to: number; share: number }
  /** A line that stands for text left out. */
  | { kind: 'placeholder'; line: number; text: string }
  /** The last line is new and looks cut off. `unclosed`: brackets left open beyond those of the base. */
  | { kind: 'cut_off'; line: number; text: string; unclosed: number }
  /** Lines with U+FFFD: text that was lost when the agent read or wrote the file. */
  | { kind: 'lost_characters'; lines: number[] };
