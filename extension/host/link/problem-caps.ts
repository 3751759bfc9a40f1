import type { Diagnostic, FileDiagnostics } from '../../core/link/editor.ts';

/** Most problems of one file, and of all files together, that are told in one answer. */
const mostOfFile = 200;
const mostOfAll = 1000;

const weight: Record<Diagnostic['severity'], number> = { Error: 0, Warning: 1, Info: 2, Hint: 3 };

/** The worst problems first where there are too many to tell; what was left out is counted in a last entry of the file, so that nobody takes the list for whole. */
export function capProblems(files: readonly FileDiagnostics[]): FileDiagnostics[] {
  let left = mostOfAll;
  const told: FileDiagnostics[] = [];
  for (const [index, file] of files.entries()) {
    if (left === 0) {
      told.push(restOf(files.slice(index)));
      break;
    }
    const capped = capFile(file, Math.min(left, mostOfFile));
    left -= Math.min(left, mostOfFile, file.diagnostics.length);
    told.push(capped);
  }
  return told;
}

function capFile(file: FileDiagnostics, most: number): FileDiagnostics {
  const { diagnostics } = file;
  if (diagnostics.length <= most) return file;
  const worst = diagnostics.toSorted((a, b) => weight[a.severity] - weight[b.severity]).slice(0, most);
  return { ...file, diagnostics: [...worst, mark(`${diagnostics.length - most} more problems of this file are not listed.`)] };
}

/** One entry for all files that found no room, at the first of them. */
function restOf(files: readonly FileDiagnostics[]): FileDiagnostics {
  const count = files.reduce((sum, file) => sum + file.diagnostics.length, 0);
  return { path: files[0]?.path ?? '', diagnostics: [mark(`${count} more problems in ${files.length} more files are not listed; ask for one file.`)] };
}

function mark(message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return { message, severity: 'Info', start, end: start, source: 'Casebook' };
}
