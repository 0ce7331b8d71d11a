/** A command line as a person could paste it into a shell; for reading, ralph itself uses no shell. */
export function shellWords(argv: readonly string[]): string {
  return argv.map(quoted).join(" ");
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./<>-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
