import { join } from 'node:path';
import { Failure } from '../../core/base/failure.ts';
import { ensurePrivateFolder, writeFileAtomic } from '../../core/base/files.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { BlobStore } from '../../core/journal/port.ts';
import type { HostFailureReason } from '../../shared/words.ts';

/**
 * Puts a kept attachment of the ticket beside the case's files, for the editor to show, and gives its path. Only blobs that the ticket names can
 * be asked for; the name on disk is made of safe characters whatever the ticket called it. Rejects with Failure `file_gone`.
 */
export async function saveAttachment(state: Pick<CaseState, 'ticket' | 'folder'>, blob: string, blobs: Pick<BlobStore, 'get'>): Promise<string> {
  const all = [...state.ticket.attachments, ...state.ticket.thread.flatMap((message) => message.attachments)];
  const attachment = all.find((candidate) => candidate.blob === blob);
  const bytes = attachment === undefined ? undefined : await blobs.get(blob);
  if (attachment === undefined || bytes === undefined) throw new Failure<HostFailureReason>('file_gone', 'the attachment is not kept any more');
  const folder = join(state.folder, 'attachments');
  await ensurePrivateFolder(folder);
  const name = attachment.name.replaceAll(/[^A-Za-z0-9._-]+/gu, '-').replace(/^[.-]+/u, '').slice(-80);
  const path = join(folder, `${blob.slice(0, 8)}-${name === '' ? 'attachment' : name}`);
  await writeFileAtomic(path, bytes);
  return path;
}
