/**
 * Whether a text matches a pattern of a shell with `*` and `?`, as a whole. In steps of at most text times pattern: an expression
 * with many stars would take very long on a text that an agent chose.
 */
export function isGlobMatch(text: string, pattern: string): boolean {
  let [at, next] = [0, 0];
  let star: { pattern: number; text: number } | null = null;
  while (at < text.length) {
    const letter = pattern.charAt(next);
    if (letter === "*") {
      star = { pattern: next, text: at };
      next += 1;
    } else if (next < pattern.length && (letter === "?" || letter === text.charAt(at))) {
      at += 1;
      next += 1;
    } else if (star !== null) {
      // The last star takes one letter more.
      star = { pattern: star.pattern, text: star.text + 1 };
      at = star.text;
      next = star.pattern + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(next));
}
