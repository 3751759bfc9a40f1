/** One issue or pull request of one repository. */
export interface GitHubReference {
  owner: string;
  repo: string;
  number: number;
}

const owner = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})';
const repo = '[A-Za-z0-9._-]{1,100}';
const short = new RegExp(`^(${owner})/(${repo})#(\\d{1,10})$`);
const path = new RegExp(`^/(${owner})/(${repo})/(?:issues|pull|pulls)/(\\d{1,10})(?:/[A-Za-z-]*)*$`);

/** Reads `owner/repo#12` or an issue or pull request URL on `webHost`; undefined for anything else, another host included. */
export function parseReference(reference: string, webHost: string): GitHubReference | undefined {
  const trimmed = reference.trim();
  const match = short.exec(trimmed) ?? pathMatch(trimmed, webHost);
  if (match === null || match === undefined) return undefined;
  const [, ownerName = '', repoName = '', number = ''] = match;
  if (repoName === '.' || repoName === '..' || Number(number) < 1) return undefined;
  return { owner: ownerName, repo: repoName, number: Number(number) };
}

function pathMatch(reference: string, webHost: string): RegExpExecArray | null | undefined {
  if (!/^https?:\/\//i.test(reference) || !URL.canParse(reference)) return undefined;
  const url = new URL(reference);
  return url.host.toLowerCase().replace(/^www\./, '') === webHost ? path.exec(url.pathname) : undefined;
}

export function keyOf(reference: GitHubReference): string {
  return `${reference.owner}/${reference.repo}#${reference.number}`;
}

/** Where the API of a GitHub lives and under which host people see it. */
export interface GitHubHost {
  apiUrl: string;
  webHost: string;
}

/**
 * Both addresses out of what a person configures: nothing or github.com, `https://ghe.example.com` (Enterprise Server, API under
 * `/api/v3`), `https://tenant.ghe.com` (API at `api.tenant.ghe.com`), or an API address itself. Undefined when it is no http(s) address.
 */
export function hostOf(baseUrl: string | undefined): GitHubHost | undefined {
  if (baseUrl === undefined || baseUrl.trim() === '') return { apiUrl: 'https://api.github.com', webHost: 'github.com' };
  if (!URL.canParse(baseUrl.trim())) return undefined;
  const url = new URL(baseUrl.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const host = url.host.toLowerCase();
  if (host === 'github.com' || host === 'www.github.com' || host === 'api.github.com') return { apiUrl: 'https://api.github.com', webHost: 'github.com' };
  if (host.endsWith('.ghe.com')) {
    const tenant = host.replace(/^api\./, '');
    return { apiUrl: `https://api.${tenant}`, webHost: tenant };
  }
  return { apiUrl: `${url.protocol}//${host}/api/v3`, webHost: host };
}
