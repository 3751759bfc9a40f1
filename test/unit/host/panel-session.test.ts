import { describe, expect, it } from 'vitest';
import { parseFromPanel } from '../../../extension/features/case-panel/parse.ts';
import type { CaseProtocol } from '../../../extension/features/case-panel/panel.ts';
import { PanelSession } from '../../../extension/features/panels/session.ts';
import type { PanelSettings, ToPanel } from '../../../extension/shared/protocol.ts';
import { aCase } from './fakes.ts';

const settings: PanelSettings = { cursorMarks: true, canPost: false, engineLabel: 'Automatic', journal: 'recording' };
const snapshot = (title: string): ToPanel & { type: 'case' } => ({ type: 'case', state: aCase({ title }), settings });

function session(handle: (name: string) => Promise<unknown> = async () => undefined) {
  const posted: ToPanel[] = [];
  const made = new PanelSession<CaseProtocol>({
    post: async (message) => posted.push(message) > 0,
    parse: parseFromPanel,
    handle: (request) => handle(request.name),
    explain: (error) => (error instanceof Error ? `explained: ${error.message}` : 'explained'),
  });
  return { made, posted, replies: () => posted.filter((message) => message.type === 'reply') };
}
const request = (id: number, name = 'acceptVerdict', args: unknown = {}): unknown => ({ type: 'request', id, name, args });

describe('the panel session', () => {
  it('sends nothing before ready, then only the newest snapshot and what waited', async () => {
    const { made, posted } = session();
    made.show(snapshot('first'));
    made.tell({ type: 'reveal', part: 'verdict' });
    made.show(snapshot('second'));
    expect(posted).toEqual([]);
    await made.receive({ type: 'ready' });
    expect(posted).toEqual([snapshot('second'), { type: 'reveal', part: 'verdict' }]);
  });

  it('sends the snapshot again to a page that was loaded again', async () => {
    const { made, posted } = session();
    made.show(snapshot('first'));
    await made.receive({ type: 'ready' });
    await made.receive({ type: 'ready' });
    expect(posted).toEqual([snapshot('first'), snapshot('first')]);
  });

  it('answers each request exactly once, failures with words', async () => {
    const { made, replies } = session(async (name) => {
      if (name === 'postReply') throw new Error('blocked');
    });
    await made.receive({ type: 'ready' });
    await Promise.all([made.receive(request(1)), made.receive(request(1)), made.receive(request(2, 'postReply'))]);
    expect(replies()).toEqual([
      { type: 'reply', id: 1, ok: true, value: undefined },
      { type: 'reply', id: 2, ok: false, message: 'explained: blocked' },
    ]);
  });

  it('refuses what is not of the protocol, and answers it where it has an id', async () => {
    const handled: string[] = [];
    const { made, replies } = session(async (name) => handled.push(name));
    await made.receive({ type: 'ready' });
    await made.receive(request(7, 'eraseEverything'));
    await made.receive(request(8, 'openCitation', { file: 3 }));
    await made.receive('garbage');
    await made.receive(null);
    expect(replies().map((reply) => (reply.type === 'reply' ? [reply.id, reply.ok] : []))).toEqual([
      [7, false],
      [8, false],
    ]);
    expect(handled).toEqual([]);
  });

  it('drops an answer to a page that is gone', async () => {
    let finish: () => void = () => {};
    const { made, replies } = session(() => new Promise<void>((resolve) => (finish = resolve)));
    await made.receive({ type: 'ready' });
    const waiting = made.receive(request(1));
    await made.receive({ type: 'ready' });
    finish();
    await waiting;
    expect(replies()).toEqual([]);
  });

  it('says nothing after it was closed', async () => {
    const { made, posted } = session();
    await made.receive({ type: 'ready' });
    made.close();
    made.show(snapshot('late'));
    await made.receive(request(1));
    expect(posted).toEqual([]);
  });
});

describe('messages of the panel at the boundary', () => {
  it.each([
    ['openCitation', { file: 'app/src/a.ts', line: 3, endLine: 5 }],
    ['overrideVerdict', { classification: 'bug', bugConfirmation: 'suspected', confidence: 'low', reason: 'seen it' }],
    ['answer', { question: 'q_1', answers: [{ chosen: ['a'], skipped: false }] }],
    ['runAgain', { mode: 'resume' }],
  ])('takes %s', (name, args) => {
    expect(parseFromPanel(request(1, name, args))).toEqual({ type: 'request', id: 1, name, args });
  });

  it.each([
    ['openCitation', { file: 'a', line: 0 }],
    ['openCitation', { file: 'a', extra: true }],
    ['overrideVerdict', { classification: 'bug', confidence: 'low', reason: 'no confirmation' }],
    ['overrideVerdict', { classification: 'answerable', bugConfirmation: 'confirmed', confidence: 'low', reason: 'x' }],
    ['overrideVerdict', { classification: 'answerable', confidence: 'low', reason: '   ' }],
    ['runAgain', { mode: 'fresh' }],
    ['editReply', { text: 'x'.repeat(200_001) }],
    ['toString', {}],
    ['__proto__', {}],
  ])('refuses %s %#', (name, args) => {
    expect(parseFromPanel(request(1, name, args))).toBeUndefined();
  });
});
