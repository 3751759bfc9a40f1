import type * as vscode from 'vscode';

/** Names of what is kept in the editor's secret storage; never in settings, files or the journal. */
export const secretNames = { openaiKey: 'casebook.openaiCompatible.apiKey' } as const;
export type SecretName = (typeof secretNames)[keyof typeof secretNames];

/** Secrets as the features and engines see them. */
export interface Secrets {
  get(name: SecretName): Promise<string | undefined>;
  set(name: SecretName, value: string): Promise<void>;
  delete(name: SecretName): Promise<void>;
}

/** Secrets in the editor's own storage. A value is trimmed: a pasted line end would end up in a request header. */
export function createSecrets(storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>): Secrets {
  return {
    get: async (name) => {
      const value = await storage.get(name);
      return value === undefined || value === '' ? undefined : value;
    },
    set: async (name, value) => storage.store(name, value.trim()),
    delete: async (name) => storage.delete(name),
  };
}
