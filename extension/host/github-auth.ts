import type * as vscode from 'vscode';
import { tokenFromEnvironment } from '../core/tickets/github/token.ts';

export type SignInProvider = 'github' | 'github-enterprise';

/** The editor's accounts: `silent` never shows anything; `ask` may open the sign-in and only follows a user's own command. */
export type GetSession = (provider: SignInProvider, scopes: readonly string[], mode: 'silent' | 'ask') => Promise<Pick<vscode.AuthenticationSession, 'accessToken' | 'account'> | undefined>;

/** Reading private issues and posting an approved reply both need `repo`. */
const SCOPES = ['repo'] as const;

/** Tokens for GitHub: the editor's sign-in, else the environment. */
export class GitHubAuth {
  constructor(
    private readonly session: GetSession,
    private readonly baseUrl: () => string,
    private readonly env: Record<string, string | undefined>,
  ) {}

  /** The provider that belongs to the API address in the settings. */
  provider(): SignInProvider {
    return this.baseUrl() === '' ? 'github' : 'github-enterprise';
  }

  /** A token without ever asking, or undefined. */
  async token(): Promise<string | undefined> {
    const session = await this.quietSession();
    return session?.accessToken ?? tokenFromEnvironment(this.env, this.provider() === 'github-enterprise');
  }

  /** Follows an explicit user action: opens the sign-in where there is no session. Undefined when it was dismissed. */
  async signIn(): Promise<string | undefined> {
    const session = await this.session(this.provider(), SCOPES, 'ask');
    return session?.accessToken;
  }

  private async quietSession(): Promise<{ accessToken: string } | undefined> {
    try {
      return await this.session(this.provider(), SCOPES, 'silent');
    } catch {
      // No such provider in this editor (web builds, github-enterprise without an address): the same as not signed in.
      return undefined;
    }
  }
}
