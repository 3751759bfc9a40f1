/**
 * A token that the environment holds for github.com, or for an Enterprise server: the variables of GitHub's own command line tool. github.com's
 * token is never sent to another server, so each has variables of its own.
 */
export function tokenFromEnvironment(env: Readonly<Record<string, string | undefined>>, enterprise: boolean): string | undefined {
  const names = enterprise ? ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] : ['GH_TOKEN', 'GITHUB_TOKEN'];
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== '');
}
