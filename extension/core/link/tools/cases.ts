import { z } from 'zod';
import { forModel } from '../../base/untrusted.ts';
import type { CaseState } from '../../cases/state.ts';
import type { AnyEvent } from '../../journal/port.ts';
import { jsonAnswer, linkTool, type LinkTool } from '../tool.ts';
import { type OwnToolsDeps, sharing } from './deps.ts';

/** Longest body of an event that a search shows. UTF-16 units. */
const longestBody = 600;

/** Reading what was investigated, and the record. Nothing is told while sharing is paused. */
export function caseTools(deps: OwnToolsDeps): LinkTool[] {
  return [
    linkTool({
      name: 'list_cases',
      description: 'Lists investigated tickets (cases) of this workspace, newest activity first, with their verdicts. `text` looks in titles and ticket ids.',
      input: z.object({ text: z.string().optional(), limit: z.number().int().min(1).max(100).optional(), offset: z.number().int().min(0).optional() }),
      readOnly: true,
      async run({ text, limit = 20, offset = 0 }) {
        sharing(deps);
        const found = await deps.cases.list({ limit, offset, ...(text === undefined ? {} : { text }) });
        return jsonAnswer({ cases: found.map((one) => ({ ...one, title: forModel(one.title).text })) });
      },
    }),
    linkTool({
      name: 'read_case',
      description: 'Reads one case: its status, verdict (with what a person decided of it), every citation with its check state, and the report as Markdown.',
      input: z.object({ case: z.string() }),
      readOnly: true,
      async run(input) {
        sharing(deps);
        return jsonAnswer(caseForAgent(await deps.cases.state(input.case)));
      },
    }),
    linkTool({
      name: 'search_journal',
      description: 'Searches the record of this workspace (investigations, reviews, decisions) for words; newest first.',
      input: z.object({ text: z.string().min(1), limit: z.number().int().min(1).max(100).optional() }),
      readOnly: true,
      async run({ text, limit = 20 }) {
        sharing(deps);
        return jsonAnswer({ events: (await deps.journal.search(text, limit)).map(eventForAgent) });
      },
    }),
  ];
}

function caseForAgent(state: CaseState): Record<string, unknown> {
  const { verdict } = state;
  return {
    case: state.id,
    title: forModel(state.title).text,
    status: state.status,
    ticket: { id: state.ticket.id, hash: state.ticket.hash },
    ...(verdict === undefined ? {} : { verdict: verdict.verdict, effective: verdict.effective, proof: verdict.proof, ...(verdict.decision === undefined ? {} : { decision: verdict.decision }) }),
    citations: state.citations.map(({ file, line, endLine, quote, state: check, note }) => ({ file, line, endLine, quote, state: check, note })),
    snapshot: state.snapshot.roots.map(({ name, commit, branch, dirtyCount }) => ({ name, commit, branch, dirtyCount })),
    ...(state.report === undefined ? {} : { report: forModel(state.report.markdown).text, reportIsPartial: state.report.partial }),
  };
}

function eventForAgent(event: AnyEvent): Record<string, unknown> {
  const body = event.body === null ? 'erased or unreadable' : forModel(JSON.stringify(event.body)).text;
  const { id, ts, kind, case: of, set, run, actor } = event;
  return { id, ts, kind, case: of, set, run, actor: actor.name, body: body.length > longestBody ? `${body.slice(0, longestBody).toWellFormed()}…` : body };
}
