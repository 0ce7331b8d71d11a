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

/** A JSON object, not an array and not null. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
