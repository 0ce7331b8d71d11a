/** The most similar candidate, or null when none is close. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((first, second) => first.distance - second.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : null;
}

function editDistance(first: string, second: string): number {
  const start = Array.from({ length: second.length + 1 }, (_, index) => index);
  const last = Array.from(first).reduce((row, letter, line) => {
    const next = [line + 1];
    for (let column = 1; column <= second.length; column++) {
      const swap = (row[column - 1] ?? 0) + (second[column - 1] === letter ? 0 : 1);
      next.push(Math.min(swap, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    return next;
  }, start);
  return last.at(-1) ?? 0;
}
