/** A field of anything a host may hand over. What is no object, or throws when it is asked, has none. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}
