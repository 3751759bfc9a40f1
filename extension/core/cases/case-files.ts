import { join } from 'node:path';
import { ensurePrivateFolder, writeFileAtomic } from '../base/files.ts';
import type { Citation } from '../model/code.ts';
import type { Verdict } from '../model/verdict.ts';

/** Where a case's files are, one folder per case, 0700. */
export function caseFolder(casesFolder: string, caseId: string): string {
  return join(casesFolder, caseId);
}

/**
 * The files of a case that others read: `analysis.md` for people, `analysis.json` for machines (schemas/analysis.schema.json),
 * `citations.json` with quotes and check states (schemas/citations.schema.json). Each is replaced whole; a reader never sees half of one.
 */
export class CaseFiles {
  constructor(
    readonly folder: string,
    private readonly mask: (text: string) => { text: string },
  ) {}

  async writeReport(markdown: string): Promise<void> {
    await this.write('analysis.md', markdown.endsWith('\n') ? markdown : `${markdown}\n`);
  }

  async writeVerdict(verdict: Verdict, citations: readonly Citation[]): Promise<void> {
    // Citations first: whoever sees a verdict can already see what carries it.
    await this.writeCitations(citations);
    await this.write('analysis.json', `${JSON.stringify(verdict, null, 2)}\n`);
  }

  async writeCitations(citations: readonly Citation[]): Promise<void> {
    await this.write('citations.json', `${JSON.stringify({ citations }, null, 2)}\n`);
  }

  private async write(name: string, text: string): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writeFileAtomic(join(this.folder, name), this.mask(text).text);
  }
}
