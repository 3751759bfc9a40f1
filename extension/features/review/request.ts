import { isAbsolute, join, relative, sep } from 'node:path';
import { Failure } from '../../core/base/failure.ts';
import type { CallerCapabilities } from '../../core/model/change.ts';
import type { Root } from '../../core/repo/roots.ts';
import type { Proposal } from '../../core/review/port.ts';
import type { HostFailureReason } from '../../shared/words.ts';

interface Asked {
  /** Who asks, as the record names it. */
  client: string;
  capabilities: CallerCapabilities;
}

/** What a program asks to have reviewed: new text for a file, or what differs on disk from a revision in some paths. */
export type DiffRequest = Asked & ({ kind: 'text'; proposal: Proposal; absolute: string; text: string } | { kind: 'paths'; paths: { root: string; path: string }[]; base?: string });

/** All of it can be heard through the command's return value, and Casebook writes. */
const able: CallerCapabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true };

/**
 * Reads the argument of `casebook.review.open`; undefined when it is not a program's request. `client` and `capabilities` may say who asks and what it can be
 * told. Fails `outside_roots` for a path in no folder of the workspace, `bad_message` for an argument that cannot be understood.
 */
export async function readRequest(argument: unknown, roots: readonly Root[]): Promise<DiffRequest | undefined> {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(argument));
  if (!fields.has('new_text') && !fields.has('paths')) return undefined;
  const asked = await readAsked(fields);
  const base = fields.get('base');
  if (fields.has('paths')) {
    const paths = fields.get('paths');
    if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string')) throw badRequest('paths must be a list of paths');
    return { ...asked, kind: 'paths', paths: paths.map((path: string) => placeIn(roots, path)), ...(typeof base === 'string' ? { base } : {}) };
  }
  const [path, text, title] = [fields.get('path'), fields.get('new_text'), fields.get('title')];
  if (typeof path !== 'string' || typeof text !== 'string') throw badRequest('path and new_text must be text');
  const place = placeIn(roots, path);
  const proposal: Proposal = {
    title: typeof title === 'string' && title.trim() !== '' ? title : place.path,
    origin: { client: asked.client },
    disk: 'proposed',
    files: [{ root: place.root, path: place.path, proposed: { kind: 'text', text } }],
  };
  return { ...asked, kind: 'text', proposal, absolute: join(place.folder, place.path), text };
}

async function readAsked(fields: ReadonlyMap<string, unknown>): Promise<Asked> {
  const client = fields.get('client');
  const given = fields.get('capabilities');
  const named = typeof client === 'string' && client.trim() !== '' ? client.trim() : 'command';
  if (given === undefined) return { client: named, capabilities: able };
  const { callerCapabilities } = await import('../../core/model/change.ts');
  const read = callerCapabilities.safeParse({ ...able, ...(typeof given === 'object' ? given : {}) });
  if (!read.success) throw badRequest('capabilities are not understood');
  return { client: named, capabilities: read.data };
}

/** A path of a program, absolute or from the first root, as the desk names it. */
function placeIn(roots: readonly Root[], path: string): { root: string; path: string; folder: string } {
  const first = roots[0];
  const absolute = isAbsolute(path) || first === undefined ? path : join(first.path, path);
  for (const root of [...roots].sort((a, b) => b.path.length - a.path.length)) {
    const inside = relative(root.path, absolute);
    if (inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return { root: root.name, path: inside.split(sep).join('/'), folder: root.path };
  }
  throw new Failure<HostFailureReason>('outside_roots', 'the path is in no folder of this workspace');
}

function badRequest(message: string): Failure<HostFailureReason> {
  return new Failure<HostFailureReason>('bad_message', message);
}
