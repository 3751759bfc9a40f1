import * as vscode from 'vscode';

/** Calls back with each file of the workspace that is made, changed or removed, by whomever. */
export function onFileChange(note: (uri: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  return vscode.Disposable.from(watcher, watcher.onDidChange(note), watcher.onDidCreate(note), watcher.onDidDelete(note));
}
