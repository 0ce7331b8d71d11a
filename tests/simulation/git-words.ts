/** The words of a call of git, without the options before its command; null: another program is called. */
export function gitWords(argv: readonly string[]): string[] | null {
  const [program = "", ...words] = argv;
  if (program !== "git" && !program.endsWith("/git")) return null;
  while (words[0] === "-c") words.splice(0, 2);
  return words;
}
