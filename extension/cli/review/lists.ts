import { exitCode } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { answer, asJson, none, type ReviewVerb } from './call.ts';
import { leftIn } from './outcome.ts';

/** `review list`: pending sets, oldest first; with --all the settled ones after them, newest first. */
export const list: ReviewVerb = async (call) => {
  const { core, values } = call;
  none(call.rest);
  const { pending, settled, more } = await core.review.list({ settled: values.all === true ? 200 : 0, ...(values.text === undefined ? {} : { text: values.text }) });
  const watching = await core.checkpoints.open();
  const lines = [...pending, ...settled].map((state) => {
    const what = state.settled?.outcome ?? `${leftIn(state)} undecided`;
    return `${state.id}  ${state.openedAt.slice(0, 16)}  ${what.replaceAll('_', ' ').padEnd(15)}  ${String(state.files.length).padStart(3)} files  ${lineForTerminal(state.origin.client).padEnd(12)}  ${lineForTerminal(state.title)}`;
  });
  const watched = watching.map((checkpoint) => `${checkpoint.id}  ${checkpoint.at.slice(0, 16)}  watching since ${lineForTerminal(checkpoint.label)}`);
  answer(call, { pending: pending.map(asJson), settled: settled.map(asJson), more, checkpoints: watching.map(({ snapshot: _snapshot, ...rest }) => rest) }, lines.length + watched.length === 0 ? ['No change sets are pending.'] : [...lines, ...watched]);
  return exitCode.ok;
};
