import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../extension/core/base/failure.ts';
import { followSignal, signalFrom } from '../../../extension/host/cancellation.ts';
import { ContextKeys } from '../../../extension/host/context-keys.ts';
import { Debounced } from '../../../extension/host/debounce.ts';
import { GitHubAuth } from '../../../extension/host/github-auth.ts';
import { createLogger } from '../../../extension/host/log.ts';
import { findGit, findRipgrep, ripgrepCandidates } from '../../../extension/host/programs.ts';
import { createSecrets, secretNames } from '../../../extension/host/secrets.ts';
import { contextKeys } from '../../../extension/shared/ids.ts';

describe('context keys', () => {
  it('sends a value only when it changes', () => {
    const sent: unknown[] = [];
    const keys = new ContextKeys((key, value) => sent.push([key, value]));
    keys.set(contextKeys.running, false);
    keys.set(contextKeys.running, false);
    keys.set(contextKeys.running, true);
    keys.set(contextKeys.hasCases, true);
    expect(sent).toEqual([
      ['casebook.running', false],
      ['casebook.running', true],
      ['casebook.hasCases', true],
    ]);
    expect(keys.get(contextKeys.running)).toBe(true);
    expect(keys.get(contextKeys.caseActive)).toBe(false);
  });
});

describe('the log', () => {
  const lines: string[] = [];
  const write = (line: string): number => lines.push(line);
  const log = createLogger({ debug: write, info: write, warn: write, error: write });

  it('has topics, reasons and causes, and an end', () => {
    lines.length = 0;
    log.child('journal').child('index').warn('slow', { ms: 5 });
    log.error('broken', new Failure('io', 'no space', { cause: new Error('ENOSPC') }));
    log.info('long', 'x'.repeat(5000));
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    log.info('loop', loop);
    expect(lines[0]).toBe('[journal/index] slow {"ms":5}');
    expect(lines[1]).toMatch(/broken .*no space[\s\S]*\(io\); cause: .*ENOSPC/);
    expect(lines[2]?.length).toBeLessThan(2100);
    expect(lines[3]).toBe('loop [not serialisable]');
  });
});

describe('the GitHub sign-in', () => {
  function auth(options: { session?: string; baseUrl?: string; env?: Record<string, string>; broken?: boolean }) {
    const asked: string[] = [];
    const made = new GitHubAuth(
      async (provider, _scopes, mode) => {
        asked.push(`${provider} ${mode}`);
        if (options.broken === true) throw new Error('no such provider');
        return options.session === undefined ? undefined : { accessToken: options.session, account: { id: '1', label: 'me' } };
      },
      () => options.baseUrl ?? '',
      options.env ?? {},
    );
    return { made, asked };
  }

  it('never asks by itself', async () => {
    const { made, asked } = auth({});
    expect(await made.token()).toBeUndefined();
    expect(asked).toEqual(['github silent']);
    await made.signIn();
    expect(asked).toEqual(['github silent', 'github ask']);
  });

  it('takes the session before the environment, and the environment where there is no provider', async () => {
    expect(await auth({ session: 's', env: { GH_TOKEN: 'e' } }).made.token()).toBe('s');
    expect(await auth({ broken: true, env: { GITHUB_TOKEN: 'e' } }).made.token()).toBe('e');
  });

  it('keeps the tokens of github.com and of an own server apart', async () => {
    const env = { GH_TOKEN: 'com', GH_ENTERPRISE_TOKEN: 'own' };
    const { made, asked } = auth({ baseUrl: 'https://git.example.com/api/v3', env });
    expect(await made.token()).toBe('own');
    expect(asked).toEqual(['github-enterprise silent']);
    expect(await auth({ env: { GH_ENTERPRISE_TOKEN: 'own' } }).made.token()).toBeUndefined();
  });
});

describe('the editor’s own programs', () => {
  it('looks for ripgrep in every known layout', () => {
    const linux = ripgrepCandidates('/app', 'linux', 'x64');
    expect(linux).toEqual(['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [join('/app', modules, '@vscode/ripgrep-universal/bin/linux-x64/rg'), join('/app', modules, '@vscode/ripgrep/bin/rg')]));
    expect(ripgrepCandidates('/app', 'win32', 'arm64').every((path) => path.endsWith('rg.exe'))).toBe(true);
    expect(findRipgrep('/app', (path) => path === linux[3], 'linux', 'x64')).toBe(linux[3]);
    expect(findRipgrep('/app', () => false, 'linux', 'x64')).toBeUndefined();
  });

  it('takes git from the built-in extension, activated or not, and does without it', async () => {
    const exports = { getAPI: () => ({ git: { path: '/usr/bin/git' } }) };
    expect(await findGit({ isActive: true, exports, activate: async () => exports })).toBe('/usr/bin/git');
    const inactive = {
      isActive: false,
      get exports(): never {
        throw new Error('not active');
      },
      activate: async () => exports,
    };
    expect(await findGit(inactive)).toBe('/usr/bin/git');
    expect(await findGit(undefined)).toBeUndefined();
    expect(await findGit({ isActive: false, exports, activate: () => new Promise(() => {}) }, 1)).toBeUndefined();
    const off = {
      getAPI: () => {
        throw new Error('git is off');
      },
    };
    expect(await findGit({ isActive: true, exports: off, activate: async () => off })).toBeUndefined();
  });
});

describe('secrets', () => {
  it('are trimmed, and an empty one is none', async () => {
    const kept = new Map<string, string>();
    const secrets = createSecrets({ get: async (key) => kept.get(key), store: async (key, value) => void kept.set(key, value), delete: async (key) => void kept.delete(key) });
    await secrets.set(secretNames.openaiKey, ' sk-test\n');
    expect(await secrets.get(secretNames.openaiKey)).toBe('sk-test');
    await secrets.set(secretNames.openaiKey, ' ');
    expect(await secrets.get(secretNames.openaiKey)).toBeUndefined();
    await secrets.delete(secretNames.openaiKey);
    expect(kept.size).toBe(0);
  });
});

describe('cancellation', () => {
  it('goes from token to signal and from signal to token', () => {
    let cancel: () => void = () => {};
    let listening = false;
    const linked = signalFrom({
      isCancellationRequested: false,
      onCancellationRequested: (listener) => {
        listening = true;
        cancel = () => void listener(undefined);
        return { dispose: () => (listening = false) };
      },
    });
    cancel();
    expect(linked.signal.aborted).toBe(true);
    linked.dispose();
    expect(listening).toBe(false);

    const controller = new AbortController();
    let cancelled = 0;
    followSignal({ cancel: () => (cancelled += 1), dispose() {} }, controller.signal);
    followSignal({ cancel: () => (cancelled += 10), dispose() {} }, controller.signal).dispose();
    controller.abort();
    expect(cancelled).toBe(1);
    followSignal({ cancel: () => (cancelled += 100), dispose() {} }, controller.signal);
    expect(cancelled).toBe(101);
  });
});

describe('debounced work', () => {
  afterEach(() => vi.useRealTimers());

  it('runs once for many calls, never beside itself, and once more for a call during it', async () => {
    vi.useFakeTimers();
    let finish: () => void = () => {};
    let runs = 0;
    const debounced = new Debounced(
      100,
      async () => {
        runs += 1;
        await new Promise<void>((resolve) => (finish = resolve));
      },
      () => {},
    );
    debounced.call();
    await vi.advanceTimersByTimeAsync(99);
    debounced.call();
    await vi.advanceTimersByTimeAsync(99);
    expect(runs).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(1);
    debounced.call();
    await vi.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toBe(2);
    debounced.dispose();
    finish();
    debounced.call();
    await vi.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(2);
  });

  it('hands on what the work threw, and works again', async () => {
    vi.useFakeTimers();
    const errors: unknown[] = [];
    const debounced = new Debounced(1, async () => Promise.reject(new Error('broke')), (error) => errors.push(error));
    debounced.call();
    await vi.advanceTimersByTimeAsync(1);
    debounced.call();
    await vi.advanceTimersByTimeAsync(1);
    expect(errors).toHaveLength(2);
  });
});
