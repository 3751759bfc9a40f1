/** Extensions of source files, as the inside of a regular expression. */
export const sourceExtensions = '[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|cpp|cc|hpp|h|c|php|swift|vue|svelte|scala|lua|exs?|erl|dart|sql|sh|ps1|gradle|toml|ya?ml|json|s?css|less|html?|tf|proto';

/**
 * Whether a name would tell a reader that it comes from code. A symbol called `save` or `User` is also a word; only forms that nobody
 * writes in prose count.
 */
export function looksInternal(name: string): boolean {
  if (name.length < 4 || name.length > 200) return false;
  return /[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\w_\w|\w[.:/#]\w|\w-\w+-\w/.test(name) || /[A-Za-z]\d+[A-Za-z]/.test(name);
}

/** Where `name` (not empty) stands in `text` with neither a letter nor a digit before or behind it. */
export function* wholeWords(text: string, name: string): Generator<number> {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + name.length])) yield at;
  }
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}
