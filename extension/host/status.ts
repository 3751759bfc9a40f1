import type { JournalState } from '../core/journal/port.ts';
import type { CaseBrief } from './board.ts';

/** The one value from which Casebook's one status bar item is drawn. */
export interface StatusValue {
  journal: JournalState['kind'];
  cases: readonly CaseBrief[];
  /** Absent while nobody has looked whether there is to be one. */
  link?: LinkBrief;
  /** Checkpoints that are open, by their labels, and how many files others have changed since; absent like none. */
  watching?: Watching;
}

export interface Watching {
  since: readonly string[];
  files: number;
}

/** The link in a few words. */
export interface LinkBrief {
  kind: 'off' | 'starting' | 'on' | 'failed';
  /** Names of the connected agents. */
  clients: readonly string[];
  paused: boolean;
  /** The file in front is not shared. */
  denied?: boolean;
  /** Why it failed. */
  message?: string;
}

export interface StatusView {
  text: string;
  tooltip: string;
  accessible: string;
  warning: boolean;
  /** The case to open on a click, when it is about one; the Cases view otherwise. */
  target?: string;
  /** The list to show on a click. */
  list: 'cases' | 'reviews';
}

/** What matters most comes first: an unwritable record, then a question, then runs, then what was cut off. */
export function statusView(value: StatusValue): StatusView {
  const shown = ofCases(value);
  const words = value.link === undefined ? undefined : linkWords(value.link);
  if (words === undefined) return shown;
  const more = { ...shown, tooltip: `${shown.tooltip}\n${words.tooltip}`, accessible: `${shown.accessible}. ${words.tooltip}` };
  // A case that wants something is said first; the link has its place beside it.
  return words.mark === undefined ? more : { ...more, text: `${shown.text} ${words.mark}`, warning: shown.warning || value.link?.kind === 'failed' };
}

function linkWords({ kind, clients, paused, denied, message }: LinkBrief): { tooltip: string; mark?: string } | undefined {
  if (kind === 'failed') return { tooltip: `Agents cannot find this window: ${message ?? 'the log says why'}`, mark: '$(warning)' };
  if (kind !== 'on') return undefined;
  const who = clients.length === 0 ? 'No agent is connected' : `Connected: ${clients.join(', ')}`;
  const [icon, added] = paused ? ['debug-pause', 'sharing is paused'] : denied === true ? ['eye-closed', 'the file in front is not shared'] : ['plug', ''];
  const mark = clients.length === 0 ? undefined : `$(${icon}) ${clients.join(', ')}${added === '' ? '' : `: ${paused ? 'paused' : 'not shared'}`}`;
  return { tooltip: added === '' ? who : `${who}; ${added}`, ...(mark === undefined ? {} : { mark }) };
}

function ofCases({ journal, cases, watching }: StatusValue): StatusView {
  if (journal === 'not_recording') {
    return view('$(warning) Casebook: not recording', 'The journal cannot be written. Decisions wait until it can.', true);
  }
  const asking = cases.filter((one) => one.status === 'needs_you');
  if (asking[0] !== undefined) return about('question', asking.length === 1 ? 'question' : `${asking.length} questions`, 'The agent waits for your answer', asking);
  const running = cases.filter((one) => one.status === 'running');
  if (running[0] !== undefined) return about('loading~spin', running.length === 1 ? 'investigating' : `${running.length} investigations`, 'Investigating', running);
  const cut = cases.filter((one) => one.status === 'interrupted');
  if (cut[0] !== undefined) return about('debug-disconnect', cut.length === 1 ? 'interrupted' : `${cut.length} interrupted`, 'Interrupted; it can be resumed or run again', cut);
  if (watching !== undefined && watching.since.length > 0) return watchingView(watching);
  return view('$(notebook) Casebook', 'Show the cases', false);
}

/** Stays as long as anything is watched: what an agent writes meanwhile is written without anybody being asked. */
function watchingView({ since, files }: Watching): StatusView {
  const changed = files === 0 ? 'Nothing has changed.' : `${files === 1 ? 'One file has' : `${files} files have`} changed and nobody has looked at ${files === 1 ? 'it' : 'them'}.`;
  return { ...view(`$(eye) Casebook: ${files === 0 ? 'watching' : `${files} not under review`}`, `${changed} ${since.join('; ')}`, false), list: 'reviews' };
}

function view(text: string, tooltip: string, warning: boolean): StatusView {
  return { text, tooltip, accessible: `${text.replace(/\$\([^)]*\) /, '')}. ${tooltip}`, warning, list: 'cases' };
}

function about(icon: string, what: string, says: string, cases: readonly CaseBrief[]): StatusView {
  const made = view(`$(${icon}) Casebook: ${what}`, `${says}: ${cases.map((one) => one.title).join('; ')}`, false);
  const only = cases.length === 1 ? cases[0] : undefined;
  return only === undefined ? made : { ...made, target: only.id };
}
