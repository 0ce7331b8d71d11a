/** Lets so many things happen at once; others wait their turn, first come, first served. */
export type Slots = { use: <Result>(body: () => Promise<Result>) => Promise<Result> };

/** A given number of slots. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async use(body) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await body();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
