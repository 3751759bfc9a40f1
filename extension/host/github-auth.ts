import type * as vscode from 'vscode';

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
    return session?.accessToken ?? this.fromEnvironment();
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

  /** github.com's token is never sent to another server, so each has a variable of its own, as in GitHub's command line tool. */
  private fromEnvironment(): string | undefined {
    const names = this.provider() === 'github' ? ['GH_TOKEN', 'GITHUB_TOKEN'] : ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
    return names.map((name) => this.env[name]?.trim()).find((value) => value !== undefined && value !== '');
  }
}
