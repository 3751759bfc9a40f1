/** The case id of an address `/case/<id>`; undefined for anything else, whatever its query says. */
export function caseInUri(uri: { path: string }): string | undefined {
  return /^\/case\/(case_[0-9a-z]{1,64})$/.exec(uri.path)?.[1];
}
