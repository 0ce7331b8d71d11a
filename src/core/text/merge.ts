import { isObject } from "./is-object.ts";
type Json = Record<string, unknown>;

/** Deep merge (S1-11): objects merge key by key, everything else of `over` replaces; an absent key never overrides. */
export function mergeLayers(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over === undefined ? base : over;
  const merged: Json = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (key === "__proto__") continue;
    merged[key] = mergeLayers(base[key], value);
  }
  return merged;
}
