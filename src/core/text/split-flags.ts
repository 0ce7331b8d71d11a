/**
 * Turns flags from the settings into arguments. An element is one argument, but one that starts with `-` and contains
 * white space is split as a shell would; those are named in `split`, to be shown in verbose mode.
 */
export function splitFlags(flags: readonly string[]): { argv: string[]; split: string[] } {
  const split = flags.filter(isSeveral);
  return { argv: flags.flatMap((flag) => (isSeveral(flag) ? splitWords(flag) : [flag])), split };
}

function isSeveral(flag: string): boolean {
  return flag.startsWith("-") && /\s/.test(flag) && !hasOpenQuote(flag);
}

// A single quote without a partner, as in `don't`, is ordinary text; such an element stays whole.
function hasOpenQuote(flag: string): boolean {
  return /["']/.test(flag.replace(quoted, ""));
}

const quoted = /\\[\s"'\\]|"(?:\\["\\]|[^"])*"|'[^']*'/g;

function splitWords(text: string): string[] {
  const words = text.match(/(?:\\[\s"'\\]|"(?:\\["\\]|[^"])*"|'[^']*'|[^\s])+/g) ?? [];
  return words.map((word) => word.replace(quoted, unquote));
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\(["\\])/g, "$1");
  return part.slice(1);
}
