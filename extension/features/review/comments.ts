import { userInfo } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { ReviewComments, type ShownComment } from '../../host/review/comments.ts';
import { viaDiffEditor } from '../../host/review/reviews.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { type Target, targetOf } from './target.ts';

/** Remarks on lines of either side, on a file, or on the whole set. */
export const reviewCommentsFeature: Feature<Services> = {
  name: 'review comments',
  register(services) {
    const owned = new DisposableStore();
    let comments: ReviewComments | undefined;
    owned.add(
      services.onBoard((_board, core) => {
        comments = new ReviewComments(services.reviews.over(core.review).board, userInfo().username, services.log);
        return comments;
      }),
    );
    owned.add(
      services.commands.register(commands.reviewComment, true, async (argument) => {
        await services.core();
        if (isReply(argument)) return comments?.add(argument, viaDiffEditor);
        const target = targetOf(services, argument);
        // The editor's own box opens at the cursor, on whichever side it is.
        if (target?.editor !== undefined) return vscode.commands.executeCommand('workbench.action.addComment');
        if (target !== undefined) return askComment(services, target);
        return undefined;
      }, wordsForReview),
    );
    owned.add(
      services.commands.register(commands.reviewRemoveComment, true, async (argument) => {
        await services.core();
        if (isShown(argument)) await comments?.remove(argument, viaDiffEditor);
      }, wordsForReview),
    );
    return owned;
  },
};

async function askComment(services: Services, { set, file, via }: Target): Promise<void> {
  const asked = await services.prompter.input({ title: vscode.l10n.t('Comment on a Review'), placeholder: file === undefined ? vscode.l10n.t('For the agent, about the whole change') : vscode.l10n.t('For the agent, about {0}', file) });
  if (asked.kind !== 'picked' || asked.value.trim() === '') return;
  const board = await services.reviews.board();
  await board.desk.comment(set, { text: asked.value.trim(), ...(file === undefined ? {} : { file }) }, via);
  board.note(await board.desk.state(set));
}

function isReply(value: unknown): value is vscode.CommentReply {
  return typeof value === 'object' && value !== null && 'thread' in value && 'text' in value && typeof value.text === 'string';
}

function isShown(value: unknown): value is ShownComment {
  return typeof value === 'object' && value !== null && 'set' in value && 'id' in value && 'author' in value && typeof value.id === 'string';
}
