import { DiskWriter } from '../../../../extension/core/review/apply/writer.ts';
import { nodeDisk } from '../../../../extension/core/review/apply/disk.ts';
import { systemClock } from '../../../../extension/core/base/clock.ts';
import { nameRoots, type Root } from '../../../../extension/core/repo/roots.ts';
import { type Content, type ProposedContent, reviewFileNow } from '../../../../extension/core/review/files/file-review.ts';
import type { Gathered, SourceDeps } from '../../../../extension/core/review/sources/gathered.ts';
import type { ProposedFile } from '../../../../extension/core/review/port.ts';
import { safeGit, tempFolder } from '../../repo/helpers.ts';
import { quickDisk } from '../trees.ts';

export interface Scene {
  roots: Root[];
  deps: SourceDeps;
}

/** Roots for folders, and a folder of Casebook's own. */
export async function sceneOf(...folders: string[]): Promise<Scene> {
  return { roots: await nameRoots(folders), deps: { git: safeGit(), folder: tempFolder(), clock: systemClock } };
}

/** What rejecting everything does: the bases are written over what is there. */
export async function rejectAll(scene: Scene, found: Gathered): Promise<void> {
  const writer = new DiskWriter({ disk: quickDisk(nodeDisk()), roots: scene.roots, stateFolder: tempFolder() });
  await writer.apply((found.proposal?.files ?? []).map((file) => ({ root: file.root, path: file.from ?? file.path, from: file.path, before: exact(file.proposed), after: exact(file.base ?? { kind: 'absent' }) })));
}

/** What accepting everything of a patch does. */
export async function acceptAll(scene: Scene, found: Gathered): Promise<void> {
  const writer = new DiskWriter({ disk: quickDisk(nodeDisk()), roots: scene.roots, stateFolder: tempFolder() });
  await writer.apply((found.proposal?.files ?? []).map((file) => ({ root: file.root, path: file.path, from: file.from ?? file.path, before: exact(file.base ?? { kind: 'absent' }), after: exact(file.proposed) })));
}

/** One line per file: its kind of change and paths, with texts of both sides. */
export function told(found: Gathered): string[] {
  return (found.proposal?.files ?? []).map((file) => {
    const { kind } = reviewFileNow({ ...file, base: file.base ?? { kind: 'absent' } });
    return `${kind} ${file.from === undefined ? '' : `${file.from} → `}${file.path}: ${textOf(file.base)} → ${textOf(file.proposed)}`;
  });
}

export function fileOf(found: Gathered, path: string): ProposedFile {
  const file = found.proposal?.files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`no ${path} among ${(found.proposal?.files ?? []).map((one) => one.path).join(', ')}`);
  return file;
}

function textOf(content: ProposedContent | undefined): string {
  if (content === undefined || content.kind === 'absent') return 'absent';
  if (content.kind === 'link') return `link ${content.target}`;
  if (content.kind === 'text') return JSON.stringify(content.text);
  return `${JSON.stringify(Buffer.from(content.bytes).toString('latin1'))}${content.mode === undefined ? '' : ` ${content.mode.toString(8)}`}`;
}

function exact(content: ProposedContent): Content {
  if (content.kind === 'text') throw new Error('sources give exact bytes');
  return content;
}
