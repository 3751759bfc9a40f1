import { join } from 'node:path';

/**
 * Where the editor's own ripgrep may be, most recent layout first: the package was renamed in 1.139, and installed builds
 * keep binaries beside the archive of modules.
 */
export function ripgrepCandidates(appRoot: string, platform: NodeJS.Platform, arch: string): string[] {
  const file = platform === 'win32' ? 'rg.exe' : 'rg';
  const inPackage = [join('@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, file), join('@vscode', 'ripgrep', 'bin', file)];
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => inPackage.map((inside) => join(appRoot, modules, inside)));
}

/** The first candidate that exists, or undefined: then the search path is tried. */
export function findRipgrep(appRoot: string, exists: (path: string) => boolean, platform: NodeJS.Platform = process.platform, arch: string = process.arch): string | undefined {
  return ripgrepCandidates(appRoot, platform, arch).find(exists);
}

/** The part of the built-in Git extension's API that is read (extensions/git/src/api/git.d.ts, version 1). */
export interface GitExtensionExports {
  getAPI(version: 1): { readonly git: { readonly path: string }; readonly repositories?: readonly GitRepository[]; onDidOpenRepository?: (listener: (repository: GitRepository) => void) => { dispose(): void } };
}
export interface GitRepository {
  readonly rootUri: { readonly fsPath: string };
  readonly state: { readonly HEAD?: { readonly commit?: string }; onDidChange(listener: () => void): { dispose(): void } };
}
export interface GitExtension {
  readonly isActive: boolean;
  readonly exports: GitExtensionExports;
  activate(): PromiseLike<GitExtensionExports>;
}

/** Longest wait for the built-in extension to activate; the first look at the cases waits for it. */
const GIT_WAIT_MS = 3000;

/** The git that the user configured for the editor; undefined when the built-in extension is absent, off or slow, then the search path is tried. */
export async function findGit(extension: GitExtension | undefined, waitMs = GIT_WAIT_MS): Promise<string | undefined> {
  try {
    if (extension === undefined) return undefined;
    const exports = extension.isActive ? extension.exports : await Promise.race([extension.activate(), after(waitMs)]);
    return exports?.getAPI(1).git.path;
  } catch {
    // getAPI throws when git.enabled is off.
    return undefined;
  }
}

async function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds).unref();
  });
}
