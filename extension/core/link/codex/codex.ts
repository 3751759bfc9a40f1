import type { Disposable } from '../../base/disposable.ts';
import type { Emitter } from '../../base/emitter.ts';
import { newId } from '../../base/ids.ts';
import type { Root } from '../../repo/roots.ts';
import type { Ambient, AmbientContext } from '../ambient.ts';
import { type ClientEvent, type LinkClient, recordContext } from '../clients.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { SharedRecord } from '../shared-record.ts';
import type { LinkRecorder } from '../recorder.ts';
import { answerCodex, codexSocketPath } from './context.ts';
import { type CodexSocket, openCodexSocket } from './socket.ts';

/** Codex keeps no connection: who has not asked for so long is taken for gone. Milliseconds. */
const lingerTime = 10 * 60_000;

export interface CodexDeps {
  ambient: Pick<Ambient, 'current'>;
  roots: () => readonly Root[];
  record: LinkRecorder;
  events: Pick<Emitter<ClientEvent>, 'fire'>;
}

interface Known {
  client: LinkClient;
  shared: SharedRecord;
  timer: NodeJS.Timeout;
}

/** Codex at the link: it asks for the editor's context at each prompt, over a socket that is its discovery file at the same time, and proposes nothing. */
export class CodexLink implements Disposable {
  private readonly known = new Map<string, Known>();
  private socket: CodexSocket | undefined;

  constructor(private readonly deps: CodexDeps) {}

  get clients(): readonly LinkClient[] {
    return [...this.known.values()].map(({ client }) => client);
  }

  readonly discovery: Discovery = {
    family: 'codex',
    announce: async (_what, place) => {
      const { ambient, roots } = this.deps;
      this.socket ??= await openCodexSocket(codexSocketPath(place), (request) => answerCodex({ ambient, roots, onPulled: (client, cwd, context) => this.pulled(client, cwd, context) }, request));
      const { path } = this.socket;
      return {
        file: path,
        remove: async () => {
          const socket = this.socket;
          this.socket = undefined;
          await socket?.close();
        },
      };
    },
  };

  dispose(): void {
    for (const key of [...this.known.keys()]) this.forget(key, 'shutdown');
  }

  private pulled(name: string, cwd: string, context: AmbientContext): void {
    const key = `${name}\n${cwd}`;
    const known = this.known.get(key) ?? this.meet(key, name, cwd);
    known.client.calls += 1;
    known.timer.refresh();
    recordContext(known.shared, context);
    this.deps.events.fire({ kind: 'changed', client: known.client });
  }

  private meet(key: string, name: string, cwd: string): Known {
    const client: LinkClient = { id: newId('link'), client: name, version: 'unknown', dialect: 'codex', transport: 'socket', since: Date.now(), cwd, calls: 0 };
    const shared = new SharedRecord((items) => this.deps.record('context.shared', { session: client.id, items }));
    const known = { client, shared, timer: setTimeout(() => this.forget(key, 'gone'), lingerTime).unref() };
    this.known.set(key, known);
    this.deps.record('client.connected', { session: client.id, client: name, version: client.version, dialect: client.dialect });
    this.deps.events.fire({ kind: 'connected', client });
    return known;
  }

  private forget(key: string, why: 'gone' | 'shutdown'): void {
    const known = this.known.get(key);
    if (known === undefined) return;
    clearTimeout(known.timer);
    this.known.delete(key);
    known.shared.dispose();
    this.deps.record('client.disconnected', { session: known.client.id, why, calls: known.client.calls });
    this.deps.events.fire({ kind: 'disconnected', client: known.client });
  }
}
