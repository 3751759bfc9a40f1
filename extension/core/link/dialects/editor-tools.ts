import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import type { Diagnostic, FileDiagnostics, Position } from '../editor.ts';
import type { LinkFailureReason } from '../failure.ts';
import { findLinkPlace } from '../paths.ts';
import { jsonAnswer, linkTool, type LinkTool, refusal } from '../tool.ts';
import type { DialectContext } from './dialect.ts';

const position = z.object({ line: z.number().int().min(0), character: z.number().int().min(0) });
/** Clients name the file differently; one of them has to be there. */
const fileInput = z.object({ filePath: z.string().optional(), path: z.string().optional(), uri: z.string().optional() });

/**
 * What Claude's and Kitsoki's families ask of the editor beside diffs. Arguments in both spellings (`filePath`, `path`, `uri`). Each answer is one JSON
 * text; a URI is not percent-encoded, since the clients compare it with their own spelling.
 */
export function editorTools(context: DialectContext): readonly LinkTool[] {
  return [...fileTools(context), ...selectionTools(context), ...documentTools(context)];
}

function fileTools({ editor, roots }: DialectContext): LinkTool[] {
  return [
    linkTool({
      name: 'openFile',
      description: 'Shows a file in the editor, optionally with a selection.',
      input: fileInput.extend({ range: z.object({ start: position, end: position }).optional(), makeFrontmost: z.boolean().optional() }),
      needsWindow: true,
      async run({ range, makeFrontmost, ...file }) {
        const asked = fileOf(file);
        const place = await findLinkPlace(roots(), asked);
        if (!place.exists) throw new Failure<LinkFailureReason>('not_found', `There is no file ${asked}.`);
        await editor.openFile(place.real, { focus: makeFrontmost === true, ...range });
        return jsonAnswer({ success: true, filePath: place.real });
      },
    }),
    linkTool({
      name: 'getDiagnostics',
      description: 'Problems that the editor knows of, of one file or of all.',
      input: fileInput,
      needsWindow: true,
      async run(file) {
        return jsonAnswer(await diagnosticsOf({ editor, roots }, file.uri ?? file.filePath ?? file.path));
      },
    }),
    linkTool({
      name: 'getWorkspaceFolders',
      description: 'The folders of the workspace.',
      input: z.object({}),
      async run() {
        const folders = roots().map(({ name, path }, index) => ({ name, uri: uriOf(path), path, index }));
        return jsonAnswer({ success: true, folders, ...(folders[0] === undefined ? {} : { rootPath: folders[0].path }) });
      },
    }),
  ];
}

/** Of one file, under the spelling that was asked for, or of all that have any. */
export async function diagnosticsOf({ editor, roots }: Pick<DialectContext, 'editor' | 'roots'>, asked: string | undefined): Promise<unknown[]> {
  if (asked === undefined) return (await editor.diagnostics()).map((one) => diagnosticsShape(one, uriOf(one.path)));
  const place = await findLinkPlace(roots(), asked);
  const found = await editor.diagnostics(place.real);
  return [diagnosticsShape(found.find((one) => one.path === place.real) ?? { path: place.real, diagnostics: [] }, asked.startsWith('file://') ? asked : uriOf(asked))];
}

function selectionTools({ editor }: DialectContext): LinkTool[] {
  const run = async () => {
    const found = await editor.selection();
    if (found === undefined) return jsonAnswer({ success: false, message: 'No text editor is open.' });
    const { path, text, start, end } = found;
    return jsonAnswer({ success: true, text, filePath: path, fileUrl: uriOf(path), selection: { start, end, isEmpty: text === '' } });
  };
  return [
    linkTool({ name: 'getCurrentSelection', description: 'What is selected in the text editor in front.', input: z.object({}), needsWindow: true, run }),
    linkTool({ name: 'getLatestSelection', description: 'What was selected last in a text editor.', input: z.object({}), needsWindow: true, run }),
    linkTool({
      name: 'getOpenEditors',
      description: 'The files that are open.',
      input: z.object({}),
      needsWindow: true,
      async run() {
        const tabs = (await editor.openEditors()).map(({ path, label, language, active, dirty }) => ({ uri: uriOf(path), fileName: path, label, languageId: language, isActive: active, isDirty: dirty }));
        return jsonAnswer({ tabs });
      },
    }),
  ];
}

function documentTools({ editor, roots }: DialectContext): LinkTool[] {
  const notOpen = (path: string) => jsonAnswer({ success: false, message: `${path} is not open.` });
  return [
    linkTool({
      name: 'checkDocumentDirty',
      description: 'Whether a file has unsaved changes in the editor.',
      input: fileInput,
      needsWindow: true,
      async run(file) {
        const { real } = await findLinkPlace(roots(), fileOf(file));
        const isDirty = await editor.isDirty(real);
        return isDirty === undefined ? notOpen(real) : jsonAnswer({ success: true, filePath: real, isDirty });
      },
    }),
    linkTool({
      name: 'saveDocument',
      description: 'Saves a file that is open in the editor.',
      input: fileInput,
      needsWindow: true,
      async run(file) {
        const { real } = await findLinkPlace(roots(), fileOf(file));
        const saved = await editor.save(real);
        if (saved === undefined) return notOpen(real);
        return saved ? jsonAnswer({ success: true, filePath: real, saved }) : refusal(`${real} could not be saved.`);
      },
    }),
  ];
}

function fileOf(input: z.infer<typeof fileInput>): string {
  const file = input.filePath ?? input.path ?? input.uri;
  if (file === undefined) throw new Failure<LinkFailureReason>('bad_path', 'The file is not named: filePath is missing.');
  return file;
}

/** Not percent-encoded, as the clients write them. */
export function uriOf(path: string): string {
  return path.startsWith('/') ? `file://${path}` : `file:///${path.replaceAll('\\', '/')}`;
}

function diagnosticsShape({ diagnostics, unsettled }: FileDiagnostics, uri: string): { uri: string; diagnostics: unknown[]; unsettled?: true } {
  const range = ({ start, end }: { start: Position; end: Position }) => ({ start, end });
  return { uri, ...(unsettled === undefined ? {} : { unsettled }), diagnostics: diagnostics.map((one: Diagnostic) => ({ message: one.message, severity: one.severity, range: range(one), ...(one.source === undefined ? {} : { source: one.source }), ...(one.code === undefined ? {} : { code: one.code }) })) };
}
