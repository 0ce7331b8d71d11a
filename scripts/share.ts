/** Of a share `K/N`: every Nth item, beginning with the Kth. */
export function takeShare<Item>(items: readonly Item[], share: string): Item[] {
  const [first = 0, every = 0] = share.split("/").map(Number);
  if (!(Number.isInteger(first) && Number.isInteger(every) && first >= 1 && every >= 1))
    throw new Error(`--share is "${share}"; it must be K/N, such as 1/10`);
  return items.filter((_, index) => index % every === (first - 1) % every);
}
