import { Emitter } from '../../../../extension/core/base/emitter.ts';
import { Failure } from '../../../../extension/core/base/failure.ts';
import { sha256 } from '../../../../extension/core/base/hash.ts';
import type { ContentRef, ReviewComment } from '../../../../extension/core/model/change.ts';
import type { FileState, SetState } from '../../../../extension/core/review/desk/state.ts';
import { type Content, reviewFileNow } from '../../../../extension/core/review/files/file-review.ts';
import type { Act, Caller, DecideInput, DeskFailureReason, DeskView, FileView, Outcome, Proposal, ReviewDesk } from '../../../../extension/core/review/port.ts';

export interface FakeFile {
  root?: string;
  path: string;
  base?: string | Uint8Array;
  proposed?: string | Uint8Array;
}

interface Held {
  state: SetState;
  contents: Map<string, { base: Content; proposed: Content; draft?: string }>;
}

const contentOf = (text: string | Uint8Array | undefined): Content => (text === undefined ? { kind: 'absent' } : { kind: 'file', bytes: typeof text === 'string' ? Buffer.from(text) : text });

const refOf = (content: Content): ContentRef => (content.kind === 'file' ? { kind: 'file', hash: sha256(content.bytes), size: content.bytes.length } : content.kind === 'link' ? content : { kind: 'absent' });

/** A desk in memory over the real comparison of files: what is decided and edited is kept, nothing is written. Calls are written down. */
export class FakeDesk implements ReviewDesk {
  readonly calls: { name: string; args: unknown[] }[] = [];
  failWith: Failure<DeskFailureReason> | undefined;
  private readonly held = new Map<string, Held>();
  private readonly changes = new Emitter<string>();
  readonly onChange = this.changes.subscribe;
  private count = 0;

  called(name: string): unknown[][] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args);
  }

  /** Puts a pending set on the desk, as if an agent had proposed it. */
  put(files: readonly FakeFile[], over: Partial<SetState> = {}): string {
    this.count += 1;
    const id = over.id ?? `set_${this.count}`;
    const contents: Held['contents'] = new Map();
    const states = files.map(({ root = 'app', path, base, proposed }): FileState => {
      const key = `${root}/${path}`;
      const held = { base: contentOf(base), proposed: contentOf(proposed) };
      contents.set(key, held);
      const review = reviewFileNow({ root, path, ...held });
      return { kind: review.kind, root, path, key, base: refOf(held.base), proposed: refOf(held.proposed), counts: { hunks: review.hunks.length, added: 1, removed: 1 }, decisions: {}, left: review.hunks.length, conflicts: [], reviewed: false };
    });
    const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + this.count * 1000).toISOString();
    const capabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true } as const;
    this.held.set(id, { contents, state: { id, title: `Change ${this.count}`, origin: { client: 'codex' }, disk: 'proposed', caller: { name: 'codex', capabilities, attached: true }, status: 'pending', applying: false, finishAsked: false, revision: 0, openedAt: at, lastEventAt: at, owner: 'ses_1', files: states, comments: [], lookedAt: [], ...over } });
    this.changes.fire(id);
    return id;
  }

  /** Changes a set as another window would, and tells listeners. */
  change(id: string, over: Partial<SetState>): void {
    this.touch(id, over);
    this.changes.fire(id);
  }

  /** Another window's draft, without this one's knowledge of it. */
  redraft(id: string, file: string, text: string): void {
    const held = this.get(id);
    const content = held.contents.get(file);
    if (content !== undefined) content.draft = text;
    this.touch(id, { files: held.state.files.map((one) => (one.key === file ? { ...one, draft: refOf(contentOf(text)) } : one)) });
    this.changes.fire(id);
  }

  async propose(proposal: Proposal, caller: Caller): Promise<Outcome> {
    await this.note('propose', proposal, caller);
    const set = this.put(proposal.files.map(({ root, path, proposed }) => ({ root, path, base: 'old\n', proposed: proposed.kind === 'text' ? proposed.text : '' })), { title: proposal.title, origin: proposal.origin, caller: { name: caller.name, capabilities: caller.capabilities, attached: true } });
    caller.onSet?.(set);
    return new Promise((resolve) => {
      const listening = this.onChange(() => {
        const { settled } = this.get(set).state;
        if (settled === undefined) return;
        listening.dispose();
        resolve({ set, outcome: settled.outcome, decisions: [], final: {}, ...(settled.answer === undefined ? {} : { answer: settled.answer }) });
      });
    });
  }
  async add(proposal: Proposal, via: string): Promise<string | undefined> {
    await this.note('add', proposal, via);
    return this.put(proposal.files.map(({ root, path }) => ({ root, path, base: 'old\n', proposed: 'new\n' })), { title: proposal.title });
  }
  async list(): Promise<DeskView> {
    await this.note('list');
    const states = [...this.held.values()].map(({ state }) => state);
    return { pending: states.filter((state) => state.status === 'pending'), settled: states.filter((state) => state.status === 'settled'), more: false };
  }
  async state(set: string): Promise<SetState> {
    return this.get(set).state;
  }
  async file(set: string, file: string): Promise<FileView> {
    await this.note('file', set, file);
    const { state, contents } = this.get(set);
    const content = contents.get(file);
    const fileState = state.files.find((one) => one.key === file);
    if (content === undefined || fileState === undefined) throw new Failure<DeskFailureReason>('not_found', 'no such file');
    const shown = content.draft === undefined ? content.proposed : contentOf(content.draft);
    const review = reviewFileNow({ root: fileState.root, path: fileState.path, base: content.base, proposed: shown });
    const decisions = new Map(Object.entries(fileState.decisions).map(([id, { decision }]) => [id, decision]));
    return { set, revision: state.revision, file: fileState, review, proposed: content.proposed, decisions, edited: new Set(), conflicts: new Set(fileState.conflicts), origins: new Map(), warnings: [] };
  }
  async ready(): Promise<void> {}
  async decide(set: string, decisions: readonly DecideInput[], act: Act): Promise<SetState> {
    await this.note('decide', set, decisions, act);
    const by = { kind: 'person' as const, name: 'me', via: act.via };
    const files = await Promise.all(
      this.get(set).state.files.map(async (file) => {
        const view = await this.file(set, file.key);
        const made = { ...file.decisions };
        for (const one of decisions.filter((decision) => decision.file === file.key)) {
          const hunks = one.hunk === '*' ? view.review.hunks.map((hunk) => hunk.id).filter((id) => made[id] === undefined) : [one.hunk];
          for (const hunk of hunks) {
            if (one.decision === 'undone') delete made[hunk];
            else made[hunk] = { decision: one.decision, by, at: '2026-01-01T00:00:00.000Z' };
          }
        }
        return { ...file, decisions: made, left: view.review.hunks.filter((hunk) => made[hunk.id] === undefined).length };
      }),
    );
    return this.touch(set, { files });
  }
  async decideAll(set: string, decision: 'accept' | 'reject', act: Act): Promise<SetState> {
    await this.note('decideAll', set, decision, act);
    return this.decide(set, this.get(set).state.files.map((file) => ({ file: file.key, hunk: '*', decision })), act);
  }
  async edit(set: string, file: string, text: string | undefined, act: Act): Promise<SetState> {
    await this.note('edit', set, file, text, act);
    const held = this.get(set);
    const content = held.contents.get(file);
    if (content === undefined) throw new Failure<DeskFailureReason>('not_found', 'no such file');
    if (text === undefined) delete content.draft;
    else content.draft = text;
    return this.touch(set, { files: held.state.files.map(({ draft: _old, ...one }) => (one.key === file && text !== undefined ? { ...one, draft: refOf(contentOf(text)) } : one)) });
  }
  async editHunk(): Promise<SetState> {
    throw new Error('not used here');
  }
  async comment(set: string, comment: Omit<ReviewComment, 'id'>, via: string): Promise<string> {
    await this.note('comment', set, comment, via);
    const { state } = this.get(set);
    const id = `note_${state.comments.length + 1}`;
    this.touch(set, { comments: [...state.comments, { ...comment, id, by: { kind: 'person', name: 'me' }, at: '2026-01-01T00:00:00.000Z' }] });
    return id;
  }
  async removeComment(set: string, comment: string, via: string): Promise<void> {
    await this.note('removeComment', set, comment, via);
    this.touch(set, { comments: this.get(set).state.comments.filter((one) => one.id !== comment) });
  }
  async markReviewed(...args: Parameters<ReviewDesk['markReviewed']>): Promise<void> {
    await this.note('markReviewed', ...args);
  }
  async lookedAt(...args: Parameters<ReviewDesk['lookedAt']>): Promise<void> {
    await this.note('lookedAt', ...args);
  }
  async finish(set: string, act: Act): Promise<SetState> {
    await this.note('finish', set, act);
    return this.get(set).state;
  }
  async refresh(set: string, only?: ReadonlySet<string>): Promise<SetState> {
    await this.note('refresh', set, ...(only ?? []));
    return this.get(set).state;
  }
  async undo(set: string, via: string): Promise<SetState> {
    await this.note('undo', set, via);
    return this.get(set).state;
  }
  async redo(set: string, via: string): Promise<SetState> {
    await this.note('redo', set, via);
    return this.get(set).state;
  }
  async undoPolicy(policy: string, via: string): Promise<{ undone: string[]; failed: { set: string; why: string }[] }> {
    await this.note('undoPolicy', policy, via);
    return { undone: [], failed: [] };
  }
  async decidedElsewhere(set: string, via: string): Promise<SetState> {
    await this.note('decidedElsewhere', set, via);
    return this.get(set).state;
  }
  async wordsForAgent(set: string): Promise<string> {
    await this.note('wordsForAgent', set);
    return `words about ${set}`;
  }
  async close(): Promise<void> {}

  private get(set: string): Held {
    const held = this.held.get(set);
    if (held === undefined) throw new Failure<DeskFailureReason>('not_found', 'no such set');
    return held;
  }

  private touch(set: string, over: Partial<SetState>): SetState {
    const held = this.get(set);
    held.state = { ...held.state, lastEventAt: new Date(Date.parse(held.state.lastEventAt) + 1).toISOString(), ...over };
    return held.state;
  }

  private async note(name: string, ...args: unknown[]): Promise<void> {
    this.calls.push({ name, args });
    if (this.failWith !== undefined) throw this.failWith;
  }
}
