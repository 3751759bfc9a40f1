import { describe, expect, it } from 'vitest';
import { Failure } from '../../../extension/core/base/failure.ts';
import { createRequestHandler } from '../../../extension/features/case-panel/requests.ts';
import { explainSuspect } from '../../../extension/features/case-panel/explain.ts';
import { agreeOnEngine, covers } from '../../../extension/features/consent.ts';
import { engineChoices } from '../../../extension/features/engine-choices.ts';
import { gateDetail, postReply, setLabels } from '../../../extension/features/gates.ts';
import { Runs } from '../../../extension/features/runs.ts';
import { caseInUri } from '../../../extension/features/uri-parse.ts';
import type { FromPanel } from '../../../extension/shared/protocol.ts';
import { isQuiet, wordsFor, wordsForTicket } from '../../../extension/shared/words.ts';
import { aCase, dismiss, FakeCases, ScriptedPrompter } from './fakes.ts';

const signal = new AbortController().signal;
const lm = { name: 'vscode-lm', status: { usable: true, label: 'Model X', destination: 'vendor X' }, leavesMachine: true, consented: false } as const;
const scout = { name: 'scout', status: { usable: true, label: 'Scout', destination: 'this machine' }, leavesMachine: false, consented: true } as const;
const claude = { name: 'claude', status: { usable: false, reason: 'not_installed', message: 'claude was not found' }, leavesMachine: true, consented: false } as const;

describe('consent before anything leaves', () => {
  function ask(script: ConstructorParameters<typeof ScriptedPrompter>[0], wanted: Parameters<typeof agreeOnEngine>[0], engines: FakeCases['engineList']) {
    const cases = new FakeCases();
    cases.engineList = engines;
    const prompter = new ScriptedPrompter(script);
    let selected = 0;
    const outcome = agreeOnEngine(wanted, { cases, prompter, selectEngine: async () => (selected += 1) }, 'palette', signal);
    return { cases, prompter, outcome, selected: () => selected };
  }

  it('tells what goes where, and journals the yes', async () => {
    const { cases, prompter, outcome } = ask(['Allow for This Workspace'], 'auto', [lm, scout]);
    expect(await outcome).toBe('auto');
    expect(prompter.seen[0]?.title).toContain('vendor X');
    for (const what of [...covers, 'vendor X', 'Model X', 'journal']) expect(prompter.seen[0]?.detail).toContain(what);
    expect(cases.called('giveConsent')).toEqual([['vscode-lm', 'vendor X', [...covers], 'palette']]);
  });

  it('goes on with the scout alone when that is chosen, and stops when it is dismissed', async () => {
    const alone = ask(['Use the Scout Alone'], 'auto', [lm, scout]);
    expect(await alone.outcome).toBe('scout');
    const stopped = ask([dismiss], 'vscode-lm', [lm, scout]);
    expect(await stopped.outcome).toBeUndefined();
    for (const { cases } of [alone, stopped]) expect(cases.called('giveConsent')).toEqual([]);
  });

  it('does not ask twice, nor for what stays here', async () => {
    expect(await ask([], 'auto', [{ ...lm, consented: true }, scout]).outcome).toBe('auto');
    expect(await ask([], 'scout', [lm, scout]).outcome).toBe('scout');
    expect(await ask([], 'auto', [claude, scout]).outcome).toBe('auto');
  });

  it('says why a chosen engine cannot be used, and offers the ways out', async () => {
    const chosen = ask(['Select Engine…'], 'claude', [claude, scout]);
    expect(await chosen.outcome).toBeUndefined();
    expect(chosen.selected()).toBe(1);
    expect(chosen.prompter.seen[0]?.title).toBe('Claude Code cannot be used. The program is not installed, or not on the path.');
    expect(await ask(['Use the Scout Alone'], 'claude', [claude, scout]).outcome).toBe('scout');
  });
});

describe('the choice of engines', () => {
  it('shows usable ones first, and why the others are not', () => {
    const choices = engineChoices([claude, lm, scout], 'scout');
    expect(choices.map((choice) => [choice.label, choice.group, choice.icon])).toEqual([
      ['Automatic', undefined, 'blank'],
      ['Language model of the editor', 'Usable now', 'blank'],
      ['Scout (no model)', undefined, 'check'],
      ['Claude Code', 'Not usable now', 'blank'],
    ]);
    expect(choices[1]?.detail).toBe('Sends to vendor X, asks first');
    expect(choices[2]?.detail).toBe('Nothing leaves this machine');
    expect(choices[3]).toMatchObject({ description: 'The program is not installed, or not on the path.', detail: 'claude was not found' });
    expect(choices[0]?.description).toBe('now: Scout (no model)');
  });
});

describe('runs of this window', () => {
  function runs(agree: () => Promise<'auto' | 'scout' | undefined>) {
    const cases = new FakeCases();
    const reported: unknown[] = [];
    const made = new Runs({ cases: async () => cases, agree, report: (error) => reported.push(error) });
    return { cases, made, reported };
  }

  it('starts with the engine that was agreed on', async () => {
    const { cases, made } = runs(async () => 'scout');
    expect(await made.start('case_1', 'restart', 'panel')).toBe(true);
    expect(cases.called('investigate')[0]?.slice(0, 2)).toEqual(['case_1', { via: 'panel', engine: 'scout', mode: 'restart' }]);
  });

  it('starts nothing when the user backed out, and asks again the next time', async () => {
    let asked = 0;
    const { cases, made } = runs(async () => void (asked += 1));
    expect(await made.start('case_1', 'fresh', 'palette')).toBe(false);
    expect(await made.start('case_1', 'fresh', 'palette')).toBe(false);
    expect(asked).toBe(2);
    expect(cases.called('investigate')).toEqual([]);
  });

  it('runs a case once at a time, stops it through its owner, and reports how it broke', async () => {
    const { cases, made, reported } = runs(async () => 'auto');
    let end: (error: Error) => void = () => {};
    let seen: AbortSignal | undefined;
    cases.investigate = (_case, _options, runSignal) => {
      seen = runSignal;
      return new Promise((_resolve, reject) => (end = reject));
    };
    await made.start('case_1', 'fresh', 'palette');
    const first = seen;
    await made.start('case_1', 'fresh', 'palette');
    expect(seen).toBe(first);
    await made.stop('case_1', 'panel');
    expect(cases.called('stop')).toEqual([['case_1', 'panel']]);
    expect(seen?.aborted).toBe(true);
    end(new Error('broke'));
    await expect.poll(() => reported).toEqual([new Error('broke')]);
    await made.start('case_1', 'fresh', 'palette');
    expect(seen).not.toBe(first);
    made.dispose();
    expect(seen?.aborted).toBe(true);
  });
});

describe('the gate before a reply is posted', () => {
  const reply = { text: 'Dear customer', edited: false, findings: [], overridden: {}, blockers: [] };
  function gate(script: ConstructorParameters<typeof ScriptedPrompter>[0]) {
    const cases = new FakeCases();
    const prompter = new ScriptedPrompter(script);
    const shown: string[] = [];
    return { cases, prompter, shown, deps: { cases, prompter, showText: async (_name: string, text: string) => void shown.push(text) } };
  }

  it('shows the exact payload and its side effects, and approves that very text', async () => {
    const { cases, prompter, shown, deps } = gate(['Post This Text']);
    await postReply(aCase({ reply }), deps, 'panel');
    expect(shown).toEqual(['Dear customer']);
    expect(prompter.seen[0]?.detail).toContain('Dear customer');
    expect(prompter.seen[0]?.detail).toContain('pings @somebody');
    expect(cases.called('openGate')).toEqual([['case_1', 'post_reply', 'Dear customer', 'panel']]);
    expect(cases.called('decideGate')).toEqual([['case_1', 'gate_1', 'approved', 'hash of Dear customer', 'panel']]);
  });

  it('takes a dismissal for a refusal', async () => {
    const { cases, deps } = gate([dismiss]);
    await postReply(aCase({ reply }), deps, 'panel');
    expect(cases.called('decideGate')).toEqual([['case_1', 'gate_1', 'refused', 'hash of Dear customer', 'panel']]);
  });

  it('opens no gate while something blocks', async () => {
    const { cases, deps } = gate([]);
    await expect(postReply(aCase({ reply: { ...reply, blockers: ['a secret'] } }), deps, 'panel')).rejects.toMatchObject({ reason: 'blocked' });
    await expect(postReply(aCase(), deps, 'panel')).rejects.toMatchObject({ reason: 'no_verdict' });
    expect(cases.calls).toEqual([]);
  });

  it('counts characters as people do', () => {
    expect(gateDetail({ payload: '😀b', payloadHash: 'ab'.repeat(32), sideEffects: [] })).toContain('2 characters');
  });
});

describe('the gate before labels are set', () => {
  const labelled = () => aCase({ ticket: { ...aCase().ticket, labels: ['bug', 'needs info'] } });

  it('shows the whole list and what it takes away, and approves that very list', async () => {
    const cases = new FakeCases();
    const prompter = new ScriptedPrompter([' bug, export ,bug', 'Set These Labels']);
    await setLabels(labelled(), { cases, prompter }, 'tree');
    expect(cases.called('openGate')).toEqual([['case_1', 'set_labels', 'bug\nexport', 'tree']]);
    expect(prompter.seen.at(-1)?.detail).toBe('bug\nexport\n\nTaken away: needs info');
    expect(cases.called('decideGate')).toEqual([['case_1', 'gate_1', 'approved', 'hash of bug\nexport', 'tree']]);
  });

  it('opens no gate when the question is dismissed, and refuses when the gate is', async () => {
    const cases = new FakeCases();
    await setLabels(labelled(), { cases, prompter: new ScriptedPrompter([dismiss]) }, 'tree');
    expect(cases.calls).toEqual([]);
    await setLabels(labelled(), { cases, prompter: new ScriptedPrompter(['bug', dismiss]) }, 'tree');
    expect(cases.called('decideGate')[0]?.[2]).toBe('refused');
  });
});

describe('requests of the panel', () => {
  function handler(trusted: boolean) {
    const cases = new FakeCases();
    const did: unknown[] = [];
    const prompter = new ScriptedPrompter();
    const editor = {
      openCitation: async (_state: unknown, place: unknown) => void did.push(['citation', place]),
      openReport: async (path: string) => void did.push(['report', path]),
      openFile: async (path: string) => void did.push(['file', path]),
      openPage: async (url: string) => void did.push(['page', url]),
    };
    const handle = createRequestHandler({
      caseId: 'case_1',
      cases,
      editor,
      prompter,
      runAgain: async (mode) => did.push(['run', mode]),
      stopRun: async () => void did.push(['stop']),
      postReply: async () => void did.push(['post']),
      explainFile: async (_state, root, file) => void did.push(['why', root, file]),
      saveAttachment: async (_state, blob) => `/kept/${blob.slice(0, 4)}.png`,
      toggleMarks: () => void did.push(['marks']),
      reviewChanges: async (checkpoint) => void did.push(['review', checkpoint]),
      showJournal: async () => void did.push(['journal']),
      requireTrust: () => {
        if (!trusted) throw new Failure('not_trusted', 'restricted');
      },
      join: (folder, name) => `${folder}/${name}`,
    });
    return { cases, did, prompter, send: (name: string, args: unknown = {}) => handle({ type: 'request', id: 1, name, args } as FromPanel & { type: 'request' }) };
  }

  it('opens an attachment in the editor, in a restricted workspace too', async () => {
    const { cases, did, send } = handler(false);
    cases.states.set('case_1', aCase());
    await send('openAttachment', { blob: 'a'.repeat(64) });
    expect(did).toEqual([['file', '/kept/aaaa.png']]);
  });

  it('carries out each with the panel as the surface', async () => {
    const { cases, did, send, prompter } = handler(true);
    cases.states.set('case_1', aCase({ ticket: { ...aCase().ticket, url: 'https://example.com/1' }, reply: { text: 'Hello', edited: false, findings: [], overridden: {}, blockers: [] } }));
    await send('answer', { question: 'q', answers: [] });
    await send('overrideVerdict', { classification: 'answerable', confidence: 'low', reason: 'x' });
    await send('acceptVerdict');
    await send('editReply', { text: 't' });
    await send('overrideFinding', { rule: 'path', reason: 'fine' });
    await send('recheckCitations');
    for (const name of ['answer', 'overrideVerdict', 'acceptVerdict', 'editReply', 'overrideFinding']) expect(cases.called(name)[0]?.at(-1), name).toBe('panel');
    expect(cases.called('recheck')).toEqual([['case_1', 'asked']]);
    await send('openCitation', { file: 'app/a.ts', line: 2 });
    await send('explainFile', { root: 'app', file: 'a.ts' });
    await send('openTicket');
    await send('openReport');
    await send('copyReply');
    await send('runAgain', { mode: 'resume' });
    await send('stopRun', { run: 'run_1' });
    await send('postReply');
    expect(did).toEqual([['citation', { file: 'app/a.ts', line: 2 }], ['why', 'app', 'a.ts'], ['page', 'https://example.com/1'], ['report', '/journal/cases/case_1/analysis.md'], ['run', 'resume'], ['stop'], ['post']]);
    expect(prompter.clipboard).toBe('Hello');
  });

  it('opens the review of what the last run left changed, where there is something to compare with', async () => {
    const { cases, did, send } = handler(true);
    const change = { root: 'app', path: 'a.ts', change: 'modified' } as const;
    cases.states.set('case_1', aCase({ treeChanges: [change] }));
    await send('reviewChanges');
    expect(did).toEqual([]);
    cases.states.set('case_1', aCase({ treeChanges: [{ ...change, checkpoint: 'cp_1' }, { ...change, checkpoint: 'cp_2' }] }));
    await send('reviewChanges');
    expect(did).toEqual([['review', 'cp_2']]);
  });

  it('only reads in a restricted workspace', async () => {
    const { cases, did, send } = handler(false);
    for (const name of ['answer', 'overrideVerdict', 'acceptVerdict', 'editReply', 'overrideFinding', 'recheckCitations', 'runAgain', 'stopRun', 'postReply']) {
      await expect(send(name), name).rejects.toMatchObject({ reason: 'not_trusted' });
    }
    expect(cases.calls).toEqual([]);
    await send('openCitation', { file: 'app/a.ts' });
    await send('showJournal');
    expect(did).toEqual([['citation', { file: 'app/a.ts' }], ['journal']]);
  });
});

describe('small things', () => {
  it('opens only cases from an address', () => {
    expect(caseInUri({ path: '/case/case_01abc' })).toBe('case_01abc');
    for (const path of ['/run/case_01abc', '/case/../x', '/case/case_01abc/run', '/case/', '']) expect(caseInUri({ path })).toBeUndefined();
  });

  it('explains a file by its signals, weightiest first', () => {
    const text = explainSuspect({ root: 'app', file: 'src/a.ts', score: 3, lines: [[1, 1], [4, 9]], symbols: ['save'], why: [{ signal: 'name', weight: 1, text: 'named' }, { signal: 'frame', weight: 2, text: 'in the trace' }] }, 2);
    expect(text.indexOf('frame: in the trace')).toBeLessThan(text.indexOf('name: named'));
    expect(text).toContain('Rank 2');
    expect(text).toContain('Lines 1, 4-9');
  });

  it('has one sentence for each failure, and none for what the user ended', () => {
    expect(wordsFor(new Failure('already_running', 'x'))).toBe('An investigation of this case is already running.');
    expect(wordsFor(new Error('ENOENT: /secret/path'))).toBe('Something went wrong in Casebook.');
    expect(wordsForTicket(new Failure('not_found', 'x'))).toBe('There is no such ticket, or this account may not see it.');
    expect(wordsFor(new Failure('not_found', 'x'))).toBe('There is no such case in this journal.');
    expect(wordsForTicket(new Failure('rate_limited', 'x', { detail: { retryAfterMs: 30_000 } }))).toContain('30 seconds left');
    expect(isQuiet(new DOMException('x', 'AbortError'))).toBe(true);
    expect(isQuiet(new Failure('io', 'x'))).toBe(false);
  });
});
