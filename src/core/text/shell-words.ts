/** A command line as a person could paste it into a shell; for reading, ralph itself uses no shell. */
export function shellWords(argv: readonly string[]): string {
  return argv.map(quoted).join(" ");
}

function quoted(word: string): string {
  // What is printed stays on one line; bash and zsh read this form.
  if (/[\n\t]/.test(word))
    return `$'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`;
  if (/^[\w@%+=:,./<>-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
