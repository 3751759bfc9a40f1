import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../base/files.ts';
import { forModel } from '../../base/untrusted.ts';
import type { Resources } from '../resources.ts';
import { type OwnToolsDeps, sharing } from './deps.ts';

/** The files of a case that others read, as `casebook://case/<id>/<file>`. */
const files: Readonly<Record<string, string>> = { 'analysis.md': 'text/markdown', 'analysis.json': 'application/json', 'citations.json': 'application/json' };
const latest = 20;

/** The reports of cases, as MCP resources. */
export function caseResources(deps: OwnToolsDeps): Resources {
  return {
    templates: Object.entries(files).map(([file, mimeType]) => ({ uriTemplate: `casebook://case/{case}/${file}`, name: file, mimeType })),
    async list() {
      sharing(deps);
      return (await deps.cases.list({ limit: latest })).map((one) => ({ uri: `casebook://case/${one.case}/analysis.md`, name: one.case, title: forModel(one.title).text, mimeType: 'text/markdown' }));
    },
    async read(uri) {
      sharing(deps);
      const [, caseId = '', file = ''] = /^casebook:\/\/case\/(case_[A-Za-z0-9]+)\/([a-z.]+)$/u.exec(uri) ?? [];
      const mimeType = Object.hasOwn(files, file) ? files[file] : undefined;
      if (mimeType === undefined) return undefined;
      try {
        return { uri, mimeType, text: await readFile(join(deps.cases.folder(caseId), file), 'utf8') };
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}
