import { tmpdir } from 'node:os';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { nameRoots } from '../../repo/roots.ts';
import { readRegular } from '../../repo/work-tree.ts';
import type { LinkFailureReason } from '../failure.ts';
import { findLinkPlace } from '../paths.ts';
import { jsonAnswer, linkTool, type LinkAnswer } from '../tool.ts';
import { mentionNotice, selectionNotice } from './claude-notices.ts';
import type { Dialect, DialectContext } from './dialect.ts';
import { editorTools } from './editor-tools.ts';

/**
 * Kitsoki's spellings, read from its source and not run. It hears a bare verdict, so Casebook writes; it sends a call once more after a lost connection. It takes an
 * answer without a verdict for a yes, so that whatever goes wrong has to say no.
 */
export const kitsoki: Dialect = {
  name: 'kitsoki',
  capabilities: { writer: 'casebook', canEdit: false, canPartial: false, canEmpty: true, redelivers: true, canExplain: false },
  tools: (context) => [
    linkTool({
      name: 'openDiff',
      description: 'Proposes new contents for a file (new_text, or the file new_text_path) and waits for the verdict: {"verdict": "accepted" | "rejected"}.',
      input: z.object({ path: z.string(), new_text: z.string().optional(), new_text_path: z.string().optional(), title: z.string().optional() }),
      refuse: () => rejected('not_possible'),
      async run(input, signal) {
        const text = input.new_text ?? (await textAt(context, input.new_text_path));
        const { outcome } = await context.diffs.propose({ tab: `${input.path}\n${input.title ?? ''}`, path: input.path, text, ...(input.title === undefined ? {} : { title: input.title }) }, signal);
        if (outcome.answer?.verdict === 'accept') return jsonAnswer({ verdict: 'accepted' });
        return outcome.answer === undefined ? rejected('not_decided') : jsonAnswer({ verdict: 'rejected' });
      },
    }),
    ...editorTools(context),
  ],
  context: (context) => [selectionNotice(context)],
  mention: mentionNotice,
};

/** The reason is one word of ours: the client also looks for words of agreement anywhere in a text. */
function rejected(reason: 'not_possible' | 'not_decided'): LinkAnswer {
  return { ...jsonAnswer({ verdict: 'rejected', reason }), failed: true };
}

/** A proposed text that lies in a file: of the workspace or the system's folder for temporary files, and nowhere else. */
async function textAt({ roots }: DialectContext, path: string | undefined): Promise<string> {
  if (path === undefined) throw new Failure<LinkFailureReason>('bad_path', 'Neither new_text nor new_text_path is given.');
  const { real } = await findLinkPlace([...roots(), ...(await nameRoots([tmpdir()]))], path);
  const bytes = await readRegular(real);
  if (bytes === undefined) throw new Failure<LinkFailureReason>('not_found', `There is no readable file ${path}.`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
