import { Emitter } from '../../../extension/core/base/emitter.ts';
import type { Cases } from '../../../extension/core/cases/port.ts';
import type { CaseState } from '../../../extension/core/cases/state.ts';
import type { Ticket } from '../../../extension/core/model/ticket.ts';
import type { Asking, Choice, Picked, Prompter } from '../../../extension/host/prompter.ts';

export function aTicket(over: Partial<Ticket> = {}): Ticket {
  return {
    id: 'text:1',
    source: 'text',
    key: '1',
    title: 'Saving crashes',
    description: 'It crashes on save.',
    severity: 'unknown',
    labels: [],
    assignees: [],
    where: {},
    environment: {},
    formData: {},
    customData: {},
    customer: {},
    console: [],
    network: [],
    actions: [],
    thread: [],
    attachments: [],
    truncations: [],
    findings: { invisible: 0, bidi: 0, control: 0, tags: 0, hiddenMarkup: 0, masked: 0, brokenUnicode: 0, notReadable: 0 },
    revision: 'r1',
    hash: 'h1',
    fetchedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

export function aCase(over: Partial<CaseState> = {}): CaseState {
  return {
    id: 'case_1',
    title: 'Saving crashes',
    folder: '/journal/cases/case_1',
    openedAt: '2026-01-01T00:00:00.000Z',
    lastEventAt: '2026-01-01T00:10:00.000Z',
    status: 'open',
    ticket: aTicket(),
    revisions: [],
    snapshot: { takenAt: '2026-01-01T00:00:00.000Z', roots: [] },
    runs: [],
    citations: [],
    questions: [],
    gates: [],
    treeChanges: [],
    ambient: false,
    ...over,
  };
}

/** Cases in memory: states are set by the test, calls are written down. */
export class FakeCases implements Cases {
  readonly calls: { name: string; args: unknown[] }[] = [];
  readonly states = new Map<string, CaseState>();
  engineList: Awaited<ReturnType<Cases['engines']>> = [];
  alike: Awaited<ReturnType<Cases['similar']>> = [];
  failWith: Error | undefined;
  private readonly changes = new Emitter<string>();
  readonly onChange = this.changes.subscribe;

  /** Sets a state and tells listeners. */
  put(state: CaseState): void {
    this.states.set(state.id, state);
    this.changes.fire(state.id);
  }

  called(name: string): unknown[][] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args);
  }

  private async note(name: string, ...args: unknown[]): Promise<void> {
    this.calls.push({ name, args });
    if (this.failWith !== undefined) throw this.failWith;
  }

  async open(...args: Parameters<Cases['open']>): Promise<string> {
    await this.note('open', ...args);
    return 'case_1';
  }
  async investigate(...args: Parameters<Cases['investigate']>): Promise<CaseState> {
    await this.note('investigate', ...args);
    return this.state(args[0]);
  }
  async stop(...args: Parameters<Cases['stop']>): Promise<void> {
    await this.note('stop', ...args);
  }
  async settled(): Promise<void> {
    await this.note('settled');
  }
  async engines(): ReturnType<Cases['engines']> {
    return this.engineList;
  }
  async giveConsent(...args: Parameters<Cases['giveConsent']>): Promise<void> {
    await this.note('giveConsent', ...args);
  }
  async forgetConsents(...args: Parameters<Cases['forgetConsents']>): Promise<void> {
    await this.note('forgetConsents', ...args);
  }
  async refreshTicket(caseId: string): Promise<CaseState> {
    return this.state(caseId);
  }
  async state(caseId: string): Promise<CaseState> {
    await this.note('state', caseId);
    return this.states.get(caseId) ?? aCase({ id: caseId });
  }
  async list(): ReturnType<Cases['list']> {
    return [];
  }
  async similar(): ReturnType<Cases['similar']> {
    return this.alike;
  }
  async answer(...args: Parameters<Cases['answer']>): Promise<void> {
    await this.note('answer', ...args);
  }
  async acceptVerdict(...args: Parameters<Cases['acceptVerdict']>): Promise<void> {
    await this.note('acceptVerdict', ...args);
  }
  async overrideVerdict(...args: Parameters<Cases['overrideVerdict']>): Promise<void> {
    await this.note('overrideVerdict', ...args);
  }
  async editReply(...args: Parameters<Cases['editReply']>): Promise<void> {
    await this.note('editReply', ...args);
  }
  async overrideFinding(...args: Parameters<Cases['overrideFinding']>): Promise<void> {
    await this.note('overrideFinding', ...args);
  }
  async openGate(caseId: string, action: string, payload: string, via: string): ReturnType<Cases['openGate']> {
    await this.note('openGate', caseId, action, payload, via);
    return { gate: 'gate_1', target: 'owner/repo#1', payload, payloadHash: `hash of ${payload}`, sideEffects: ['pings @somebody'] };
  }
  async decideGate(...args: Parameters<Cases['decideGate']>): Promise<void> {
    await this.note('decideGate', ...args);
  }
  async recheck(...args: Parameters<Cases['recheck']>): Promise<CaseState> {
    await this.note('recheck', ...args);
    return this.state(args[0]);
  }
  async close(...args: Parameters<Cases['close']>): Promise<void> {
    await this.note('close', ...args);
  }
  async erase(...args: Parameters<Cases['erase']>): Promise<void> {
    await this.note('erase', ...args);
  }
  folder(caseId: string): string {
    return `/journal/cases/${caseId}`;
  }
}

/** Answers prompts from a script; a prompt that was not foreseen fails the test. */
export class ScriptedPrompter implements Prompter {
  readonly seen: { kind: string; title: string; detail?: string; labels?: string[] }[] = [];
  clipboard = '';

  /** Each answer: the label to pick, the text to type, the action to choose, or one of the two marks. */
  constructor(private readonly script: (string | typeof back | typeof dismiss)[] = []) {}

  async pick<T>(choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>, asking: Asking): Promise<Picked<T>> {
    const list = await choices;
    this.seen.push({ kind: 'pick', title: asking.placeholder, labels: list.map((choice) => choice.label) });
    const answer = this.next(asking.placeholder);
    if (typeof answer !== 'string') return answer;
    const chosen = list.find((choice) => choice.label === answer);
    if (chosen === undefined) throw new Error(`no choice "${answer}" among ${list.map((choice) => choice.label).join(', ')}`);
    return { kind: 'picked', value: chosen.value };
  }
  async input(asking: Asking & { validate?: (value: string) => string | undefined }): Promise<Picked<string>> {
    this.seen.push({ kind: 'input', title: asking.placeholder });
    const answer = this.next(asking.placeholder);
    return typeof answer === 'string' ? { kind: 'picked', value: answer } : answer;
  }
  async modal<T extends string>(message: string, detail: string, actions: readonly T[]): Promise<T | undefined> {
    this.seen.push({ kind: 'modal', title: message, detail });
    return this.action(message, actions);
  }
  async inform(message: string, actions: readonly string[] = []): Promise<string | undefined> {
    this.seen.push({ kind: 'inform', title: message });
    return actions.length === 0 ? undefined : this.action(message, actions);
  }
  async warn(message: string, actions: readonly string[] = []): Promise<string | undefined> {
    this.seen.push({ kind: 'warn', title: message });
    return actions.length === 0 ? undefined : this.action(message, actions);
  }
  async files(title: string): Promise<string | undefined> {
    const answer = this.next(title);
    return typeof answer === 'string' ? answer : undefined;
  }
  async saveAs(title: string): Promise<string | undefined> {
    const answer = this.next(title);
    return typeof answer === 'string' ? answer : undefined;
  }
  async readClipboard(): Promise<string> {
    return this.clipboard;
  }
  async writeClipboard(text: string): Promise<void> {
    this.clipboard = text;
  }
  async progress<T>(_where: unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return work(new AbortController().signal);
  }

  private action<T extends string>(message: string, actions: readonly T[]): T | undefined {
    const answer = this.next(message);
    if (typeof answer !== 'string') return undefined;
    const chosen = actions.find((action) => action === answer);
    if (chosen === undefined) throw new Error(`no action "${answer}" among ${actions.join(', ')}`);
    return chosen;
  }

  private next(prompt: string): string | typeof back | typeof dismiss {
    const answer = this.script.shift();
    if (answer === undefined) throw new Error(`nothing was scripted for "${prompt}"`);
    return answer;
  }
}

export const back = { kind: 'back' as const };
export const dismiss = { kind: 'dismissed' as const };
