import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFixture, type Fixture, type Running } from './fixtures.ts';
import { events, gaps, open, temporaryFolder, until } from './harness.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await bundleFixture('writer.ts');
});
afterAll(() => fixture.remove());

const acknowledged = (running: Running): string[] => running.lines.filter((line) => line.startsWith('wrote ')).map((line) => line.split(' ')[1] ?? '');

describe('kill -9', () => {
  it('loses no acknowledged decision at whatever moment it comes, and the next process goes on (J03, J07)', async () => {
    const home = await temporaryFolder();
    let written = 0;
    const rounds = 9;
    for (let round = 0; round < rounds; round += 1) {
      const running = fixture.start(home, '100000', round % 2 === 0 ? '200' : '60000', '300000');
      const after = 1 + Math.floor(Math.random() * 40);
      await until(() => acknowledged(running).length >= after, 20_000);
      running.process.kill('SIGKILL');
      expect(await running.exited).toBe('SIGKILL');
      const promised = acknowledged(running);
      written += promised.length;
      const journal = await open(home, { sqlite: round % 3 === 0 });
      const session = promised[0]?.split('/')[0] ?? '';
      expect(await journal.sessionState(session)).toBe('dead');
      const ids = new Set((await events(journal, { kinds: ['verdict.overridden'] })).map((event) => event.id));
      expect(promised.filter((id) => !ids.has(id))).toEqual([]);
      const verification = await journal.verify();
      expect(verification.problems).toEqual([]);
      await journal.close();
    }
    expect(written).toBeGreaterThanOrEqual(rounds);
  });
});

describe('several processes (J06)', () => {
  it('append at once without a lock: all records are there, numbers unique, rotation included', async () => {
    const home = await temporaryFolder();
    const each = 30;
    const watching = await open(home, { pollMs: 50 });
    const noticed: string[] = [];
    watching.onEvent((event) => event.session !== watching.session && event.kind === 'verdict.overridden' && noticed.push(event.id));
    const processes = [1, 2, 3].map(() => fixture.start(home, String(each), '300000', '1000000'));
    await until(() => processes.every((running) => running.lines.includes('done')), 60_000);
    for (const running of processes) running.process.stdin?.write('close\n');
    expect(await Promise.all(processes.map((running) => running.exited))).toEqual([0, 0, 0]);
    const found = await events(watching, { case: 'case_shared' });
    expect(found).toHaveLength(3 * each);
    expect(new Set(found.map((event) => event.id)).size).toBe(3 * each);
    for (const running of processes) {
      const session = running.lines[0]?.split(' ')[1] ?? '';
      const own = found.filter((event) => event.session === session);
      expect(own.map((event) => event.seq)).toEqual(own.map((event) => event.seq).toSorted((a, b) => a - b));
      expect(await watching.sessionState(session)).toBe('dead');
    }
    await until(() => noticed.length >= 3 * (each - each / 3), 20_000);
    expect(await watching.verify()).toMatchObject({ ok: true, problems: [], gaps: [] });
    expect(await gaps(watching)).toEqual([]);
  });

  it('lets exactly one take over what a dead process left', async () => {
    const home = await temporaryFolder();
    const running = fixture.start(home, '3', '10', '0');
    await until(() => running.lines.includes('done'), 20_000);
    const session = running.lines[0]?.split(' ')[1] ?? '';
    const one = await open(home);
    const two = await open(home);
    expect(await one.sessionState(session)).toBe('alive');
    expect(await one.takeOver('run', 'run_1', session)).toBe(false);
    running.process.kill('SIGKILL');
    await running.exited;
    const won = await Promise.all([one.takeOver('run', 'run_1', session), two.takeOver('run', 'run_1', session), two.takeOver('run', 'run_1', session)]);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await events(one, { kinds: ['ownership.taken'] })).map((event) => event.body)).toMatchObject([{ of: 'run', id: 'run_1', from: session }]);
    const winner = won[0] ? one : two;
    const loser = won[0] ? two : one;
    await winner.close();
    expect(await loser.takeOver('run', 'run_1', session)).toBe(true);
  });
});
