/**
 * Faults that have to be noticed. Each replaces one piece of text, which must occur exactly once in its file, by a wrong one; the named tests must then fail.
 * `test`: a test file, and a part of the test's name where the file holds much else.
 * @type {{ name: string, file: string, find: string, put: string, test: [string, string?] }[]}
 */
const desk = 'extension/core/review/desk';
const apply = 'extension/core/review/apply';
const journal = 'extension/core/journal';
const tests = 'test/unit/review';

export const faults = [
  // The desk.
  { name: 'an agent that cannot hear of a part is told yes', file: `${desk}/answer.ts`, find: 'const sayable = changed.every(', put: 'const sayable = changed.length > 0 || changed.every(', test: [`${tests}/desk-rules.test.ts`, 'unsayable'] },
  { name: 'a writing agent is told yes on a base that is gone', file: `${desk}/settler.ts`, find: "if (agentWrites && (await this.rebase(state, 'changed_on_disk'))) return false;", put: '', test: [`${tests}/desk-rules.test.ts`, 'is not told yes'] },
  { name: 'a writing agent writes under unsaved text', file: `${desk}/settler.ts`, find: "if (answer.writes === 'agent' && (await this.anyUnsaved(state.files)))", put: "if (answer.writes === 'nobody' && (await this.anyUnsaved(state.files)))", test: [`${tests}/desk-rules.test.ts`, 'unsaved text'] },
  { name: 'unsaved text is overwritten', file: `${desk}/carrier.ts`, find: 'mergeBytes(entry.before.bytes, buffer.bytes, entry.after.bytes)', put: 'mergeBytes(buffer.bytes, buffer.bytes, entry.after.bytes)', test: [`${tests}/desk.test.ts`, 'D13'] },
  { name: 'a buffer that fails leaves the rest of the set written', file: `${desk}/carrier.ts`, find: 'await this.takeBack(receipt, done);', put: '', test: [`${tests}/desk-rules.test.ts`, 'goes back'] },
  { name: 'a decision on an older form counts', file: `${desk}/fold.ts`, find: "if (body.revision !== state.revision || state.status === 'settled') return;", put: '', test: [`${tests}/desk-rules.test.ts`, 'are void'] },
  { name: 'a decision is carried to a twin', file: `${desk}/rebasing.ts`, find: " || twins.has(whole.replace(/-\\d+$/u, ''))", put: '', test: [`${tests}/desk-rules.test.ts`, 'twin'] },
  { name: 'the same proposal again is a second set', file: `${desk}/intake.ts`, find: 'return other.files.every((file) => known.has(identity(file)));', put: 'return known.size < 0;', test: [`${tests}/desk.test.ts`, 'join the pending set'] },
  { name: 'a set is settled with hunks undecided', file: `${desk}/decisions.ts`, find: 'if (open.some((file) => file.left > 0 && file.rest === undefined && Object.keys(file.decisions).length === 0)) return false;', put: 'if (open.length > 0) return true;', test: [`${tests}/desk.test.ts`, 'hunk by hunk'] },
  { name: 'a file of the same length is taken for the same', file: `${desk}/contents.ts`, find: 'content.bytes.length === ref.size && sha256(content.bytes) === ref.hash', put: 'content.bytes.length === ref.size', test: [`${tests}/desk.test.ts`, 'D14'] },
  { name: 'conflicts are taken by accepting everything', file: `${desk}/views.ts`, find: "return file.rest.decision === 'accept' && file.conflicts.includes(hunk.split('.')[0] ?? '') ? undefined : file.rest;", put: 'return file.rest;', test: [`${tests}/desk.test.ts`, 'D39'] },
  { name: 'what was undone is undone again', file: `${desk}/undo.ts`, find: "settled.written !== undefined && settled.standing === (what === 'undo')", put: 'settled.written !== undefined', test: [`${tests}/desk.test.ts`, 'undone and redone'] },
  { name: 'a policy decides what it covers in part', file: `${desk}/policies.ts`, find: 'changeSet.files.every((file) =>', put: 'changeSet.files.some((file) =>', test: [`${tests}/desk.test.ts`, 'policies'] },
  { name: 'the caller hears before the record', file: `${desk}/settler.ts`, find: "const by = decidersOf(state);\n", put: "const by = decidersOf(state);\n    waiters.settle(state.id, outcomeFor(state.id, { outcome, files: files.map((file) => file.settled) }));\n", test: [`${tests}/desk-faults.test.ts`, 'hears only what is on record'] },
  { name: 'a crash after the write is written over again', file: `${desk}/settler.ts`, find: 'if (state.applying && (await carrier.isThere(entries)))', put: 'if (state.status === "settled" && (await carrier.isThere(entries)))', test: [`${tests}/desk-processes.test.ts`, 'between any two steps'] },
  // The writer.
  { name: 'the base is not compared at the moment of writing', file: `${apply}/writer.ts`, find: '    await this.checkBases([item]);\n', put: '', test: [`${tests}/write.test.ts`] },
  { name: 'a failed write is left as it is', file: `${apply}/writer.ts`, find: 'throw await this.undone(error, record, begun);', put: 'throw error;', test: [`${tests}/desk-faults.test.ts`, 'at any step'] },
  { name: 'a link out of the root is followed', file: `${apply}/places.ts`, find: "throw writeFailure('link_refused', 'a link leads out of the root', { path: shown });", put: 'void shown;', test: [`${tests}/write.test.ts`] },
  { name: "git's own folder is written to", file: `${apply}/places.ts`, find: "if (path.split('/').some(isGit)) throw", put: "if (path.split('/').every(isGit)) throw", test: [`${tests}/desk.test.ts`, 'I39'] },
  { name: 'a crash is not rolled back', file: `${apply}/rollback.ts`, find: 'const left = done ? [] : await rollBack(disk, record);', put: 'const left: LeftBehind[] = [];', test: [`${tests}/desk-processes.test.ts`, 'between any two steps'] },
  // The journal.
  { name: 'a decision need not be on disk', file: `${journal}/kinds/index.ts`, find: "  'hunks.decided',\n", put: '', test: [`${tests}/desk-faults.test.ts`, 'J09'] },
  { name: 'a broken chain is not seen', file: `${journal}/verify.ts`, find: "return record.head.prev === last.hash ? undefined : 'the chain is broken: this record does not follow the one before it';", put: 'return undefined;', test: ['test/unit/journal/damage.test.ts', 'forged'] },
  { name: 'secrets are written as they are', file: `${journal}/redact/masker.ts`, find: 'const own = tableRanges(text);', put: 'const own: SecretRange[] = tableRanges(text).slice(0, 0);', test: ['test/unit/journal/masking.test.ts'] },
];
