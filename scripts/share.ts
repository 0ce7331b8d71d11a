/** Of a share `K/N`: every Nth item, beginning with the Kth. */
export function takeShare<Item>(items: readonly Item[], share: string): Item[] {
  const { first, every } = readShare(share);
  return items.filter((_, index) => index % every === (first - 1) % every);
}

/** Reads `K/N`. Throws when it is not the Kth of N parts. */
export function readShare(share: string): { first: number; every: number } {
  const [, first = 0, every = 0] = (/^(\d+)\/(\d+)$/.exec(share) ?? []).map(Number);
  if (first < 1 || first > every) throw new Error(`--share is "${share}"; it must be K/N, such as 1/10`);
  return { first, every };
}
