import picomatch from 'picomatch';

/**
 * Files whose content, and the history of it, is never given to a model. A pattern without a slash is matched with the last segment, letter case aside;
 * the others are written so that ripgrep and picomatch read them alike.
 */
export const defaultNotShared: readonly string[] = [
  '.env*', '*.env', '.envrc', '*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx', '*.ppk', '*.asc', '*.gpg',
  'id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.npmrc', '.yarnrc.yml', '.pypirc', '.netrc', '_netrc', '.git-credentials', '.htpasswd', '.pgpass',
  'credentials', 'credentials.json', 'secrets.json', 'secrets.yml', 'secrets.yaml', 'service-account*.json', '*.tfstate', '*.tfvars',
  '**/.git/**', '**/.ssh/**', '**/.gnupg/**', '**/.aws/**', '**/.kube/**', '**/.docker/config.json',
];

/** Decides which files a model, or an agent at the link, may see. */
export class Sharing {
  readonly patterns: readonly string[];
  private readonly byName: (name: string) => boolean;
  private readonly byPath: (path: string) => boolean;

  /** `more`: the user's own patterns, on top of the default ones. */
  constructor(more: readonly string[] = []) {
    this.patterns = [...defaultNotShared, ...more.map((pattern) => (pattern.includes('/') && !pattern.startsWith('**/') ? `**/${pattern.replace(/^\/+/u, '')}` : pattern))];
    const options = { dot: true, nocase: true };
    this.byName = picomatch(this.patterns.filter((pattern) => !pattern.includes('/')), options);
    this.byPath = picomatch(this.patterns.filter((pattern) => pattern.includes('/')), options);
  }

  /** `path` from its root. Every folder on the way counts too, so that `.env.d/x` is not shared either. */
  isShared(path: string): boolean {
    const parts = path.split('/');
    return !parts.some((part) => part !== '' && this.byName(part)) && !this.byPath(path) && !this.byPath(`${path}/`) && !parts.includes('.git');
  }
}

/** What a model is told instead of a file's content. */
export const notShared = 'This file is not shared with you: it may hold secrets. Work without it and say so if it matters.';
