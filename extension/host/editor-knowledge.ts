import * as vscode from 'vscode';
import type { EditorKnowledge, EditorProblem, EditorSymbol } from './agent-tools.ts';

const severities: Record<vscode.DiagnosticSeverity, EditorProblem['severity']> = { 0: 'error', 1: 'warning', 2: 'information', 3: 'hint' };

/** Problems and symbols as the editor knows them. */
export function createEditorKnowledge(): EditorKnowledge {
  return {
    problems(path) {
      const found: readonly [vscode.Uri, readonly vscode.Diagnostic[]][] = path === undefined ? vscode.languages.getDiagnostics() : [[vscode.Uri.file(path), vscode.languages.getDiagnostics(vscode.Uri.file(path))]];
      return found.flatMap(([uri, list]) => (uri.scheme === 'file' ? list.map((one) => problemOf(uri.fsPath, one)) : []));
    },
    async symbolsNamed(query) {
      const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query);
      return (found ?? []).filter((one) => one.location.uri.scheme === 'file').map((one) => flatSymbol(one));
    },
    async symbolsIn(path) {
      const found = await vscode.commands.executeCommand<(vscode.SymbolInformation | vscode.DocumentSymbol)[] | undefined>('vscode.executeDocumentSymbolProvider', vscode.Uri.file(path));
      return (found ?? []).flatMap((one) => ('location' in one ? [flatSymbol(one)] : nested(one, path, undefined)));
    },
  };
}

function problemOf(path: string, { message, range, severity, source }: vscode.Diagnostic): EditorProblem {
  return { path, line: range.start.line + 1, severity: severities[severity], message, ...(source === undefined ? {} : { source }) };
}

function flatSymbol({ name, kind, containerName, location }: vscode.SymbolInformation): EditorSymbol {
  return { name, kind: kindName(kind), container: containerName, path: location.uri.fsPath, line: location.range.start.line + 1, endLine: location.range.end.line + 1 };
}

function nested(symbol: vscode.DocumentSymbol, path: string, container: string | undefined): EditorSymbol[] {
  const own: EditorSymbol = { name: symbol.name, kind: kindName(symbol.kind), path, line: symbol.range.start.line + 1, endLine: symbol.range.end.line + 1, ...(container === undefined ? {} : { container }) };
  return [own, ...symbol.children.flatMap((child) => nested(child, path, container === undefined ? symbol.name : `${container}.${symbol.name}`))];
}

const kindName = (kind: vscode.SymbolKind): string => (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
