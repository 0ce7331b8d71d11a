/** Values by id, of which only the youngest are kept: a stream may bring ever new ids, and memory stays flat. */
export type RecentMap<Value> = {
  get(id: string): Value | undefined;
  /** Makes the id the youngest. */
  set(id: string, value: Value): void;
  /** Those not forgotten yet. */
  values(): Value[];
};

/** Keeps at least the `keptMin` ids set last, and forgets the others many at a time, which is cheaper than one by one. */
export function createRecentMap<Value>(keptMin: number, onForget: (value: Value) => void): RecentMap<Value> {
  let old = new Map<string, Value>();
  let young = new Map<string, Value>();
  return {
    get: (id) => young.get(id) ?? old.get(id),
    set(id, value) {
      old.delete(id);
      young.set(id, value);
      if (young.size < keptMin) return;
      for (const forgotten of old.values()) onForget(forgotten);
      old = young;
      young = new Map();
    },
    values: () => [...old.values(), ...young.values()],
  };
}
