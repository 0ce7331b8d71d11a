/** A queue of news with one reader. Bounded by its writers: each operation in flight posts at most a few items. */
export type Mailbox<Item> = { post(item: Item): void; next(): Promise<Item> };

/** Items come out in the order they were posted. */
export function createMailbox<Item>(): Mailbox<Item> {
  const items: Item[] = [];
  let wake: ((item: Item) => void) | null = null;
  return {
    post(item) {
      if (wake === null) {
        items.push(item);
        return;
      }
      const deliver = wake;
      wake = null;
      deliver(item);
    },
    next() {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve(item);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
