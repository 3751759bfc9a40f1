/** Child processes as a port: always without a shell, always in a group of their own so that a stop reaches grandchildren. */
export interface Processes {
  /** Starts a program. Rejects with Failure `not_found` when there is no such program, `io` otherwise. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): Promise<Child>;
}

export interface SpawnOptions {
  cwd: string;
  /** The whole environment of the child; nothing is inherited. See `childEnvironment`. */
  env: Record<string, string>;
  /** Aborting ends the whole process group: SIGTERM, then SIGKILL after `graceMs` (default 2000). */
  signal: AbortSignal;
  graceMs?: number;
  /** Written to standard input, which is then closed; absent: standard input is closed at once unless `keepStdin`. */
  stdin?: string | Uint8Array;
  keepStdin?: boolean;
}

export interface Child {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  write(data: string | Uint8Array): Promise<void>;
  endInput(): void;
  /** Settles once when the process and its pipes are gone; never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
}

/** What a child program may learn from ours: where it lives, who runs it, how it speaks. No token, key or editor variable is among them. */
const plainVariables = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'TMPDIR', 'TEMP', 'TMP',
  'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR',
  'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH',
  'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)',
];

/** Names a program that talks to the network needs besides; pass them as `also`. A proxy's URL may hold a password, so git and search never get them. */
export const networkVariables: readonly string[] = [
  'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy',
  'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS',
];

/**
 * The environment of a child: an allow-list out of `source` (the names above, `LC_*`, and `also`), then `set` on top.
 * Everything else stays behind. Names are compared without case, since Windows spells them freely.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: { also?: readonly string[]; set?: Readonly<Record<string, string>> } = {},
): Record<string, string> {
  const allowed = new Set([...plainVariables, ...(options.also ?? [])].map((name) => name.toUpperCase()));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (allowed.has(upper) || upper.startsWith('LC_'))) env[name] = value;
  }
  return { ...env, ...options.set };
}

/** How a program ended, with what it wrote. `truncated`: it wrote more than `maxBytes` and was stopped for that. */
export interface Finished {
  code: number | null;
  signal: string | null;
  stdout: Uint8Array;
  /** Decoded as UTF-8, the first 64 KiB. */
  stderr: string;
  truncated: boolean;
}

/** Runs a program to its end and collects its output, at most `maxBytes` of it (default 64 MiB). Fails as `spawn` does; any exit code is a result. */
export async function runToEnd(processes: Processes, command: string, args: readonly string[], options: SpawnOptions & { maxBytes?: number }): Promise<Finished> {
  const { maxBytes = 64 * 1024 * 1024, ...spawnOptions } = options;
  const enough = new AbortController();
  const child = await processes.spawn(command, args, { ...spawnOptions, signal: AbortSignal.any([options.signal, enough.signal]) });
  const [out, err, end] = await Promise.all([
    collect(child.stdout, maxBytes, () => enough.abort()),
    collect(child.stderr, 64 * 1024, () => {}),
    child.exited,
  ]);
  return { ...end, stdout: out.bytes, stderr: new TextDecoder().decode(err.bytes), truncated: out.truncated };
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number, onFull: () => void): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  for await (const chunk of stream) {
    if (truncated) continue;
    parts.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) {
      truncated = true;
      onFull();
    }
  }
  return { bytes: Buffer.concat(parts), truncated };
}
