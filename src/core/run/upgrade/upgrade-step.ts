/** A run as some version stored it: plain JSON, nothing of it checked yet. A loop in a session has no frozen run. */
export type StoredRun = { state: Fields; frozen: Fields | null };

/** The fields of a stored object. */
export type Fields = Record<string, unknown>;

/** What a step needs beside the run. */
export type UpgradeContext = {
  /** The version that stored the run. */
  from: number;
  /** SHA-256 of a text in UTF-8, as hexadecimal digits. Given from outside: core knows no module of Node. */
  sha256: (text: string) => string;
};

/**
 * Lifts what one version stored to what the next one stores; pure. A step fills in what its own version did not know,
 * with the value by which nothing changes. It invents no gate and drops none: a text says why it cannot be done.
 */
export type UpgradeStep = {
  run(stored: StoredRun, context: UpgradeContext): StoredRun | string;
  /** The body of a journal entry, for those who read it; the stored one stays as it is. */
  entry(body: Fields): Fields;
};

/** An object's fields, or none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** Null and values that are not objects stay as they are; the later check judges them. */
export function changed(value: unknown, change: (fields: Fields) => Fields): unknown {
  const fields = fieldsOf(value);
  return fields === null ? value : change(fields);
}

/** An object without some of its fields. */
export function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
