import { isObject } from "../../text/is-object.ts";
import { readTomlStatements, type TomlStatement } from "./toml-statements.ts";

/** A manifest for a sealed copy. Null: the candidate's cannot be read, and there is none of the base to take instead. */
export type MergedManifest = { text: string | null; isCandidateReadable: boolean };

/** The two forms of a manifest; null: there was none at the base. */
export type ManifestPair = { base: string | null; candidate: string };

/**
 * The candidate's manifest with the base's values of `keys` (`scripts`, `tool.pytest`): set, changed or removed back to what they
 * were. JSON by its ending, else TOML. A JSON file that cannot be read is the base's as a whole.
 */
export function mergeManifest(
  path: string,
  { base, candidate }: ManifestPair,
  keys: readonly string[],
): MergedManifest {
  const paths = keys.map((key) => key.split("."));
  if (!path.endsWith(".json")) return { text: mergeToml(base ?? "", candidate, paths), isCandidateReadable: true };
  const now = readObject(candidate);
  if (now === null) return { text: base, isCandidateReadable: false };
  const former = base === null ? {} : (readObject(base) ?? {});
  for (const each of paths) copyKey(former, now, each);
  return { text: `${JSON.stringify(now, null, 2)}\n`, isCandidateReadable: true };
}

/** Loaders take a byte order mark away before they read. */
function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function copyKey(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  [key = "", ...rest]: readonly string[],
): void {
  const [former, now] = [ownValue(from, key), ownValue(to, key)];
  if (rest.length === 0) {
    if (former === undefined) delete to[key];
    else setOwn(to, key, former);
    return;
  }
  if (isObject(now)) copyKey(isObject(former) ? former : {}, now, rest);
  else if (isObject(former)) setOwn(to, key, former);
}

function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Also where the key is `__proto__`. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function mergeToml(base: string, candidate: string, paths: readonly (readonly string[])[]): string {
  const isProtected = (statement: TomlStatement): boolean => paths.some((path) => concerns(statement, path));
  const kept = readTomlStatements(candidate).filter((statement) => !isProtected(statement));
  const taken = readTomlStatements(base).filter(isProtected);
  // Pairs of a table that is not protected as a whole go where the candidate has that table.
  const loose = taken.filter(({ kind, table }) => kind === "pair" && !paths.some((path) => startsWith(table, path)));
  const whole = taken.filter((statement) => !loose.includes(statement));
  const parts = withLoose(kept, loose);
  return [...parts, ...whole.map(({ text }) => text)].map(withBreak).join("");
}

/** A pair whose value is a table that may hold the key concerns it, too. */
function concerns({ kind, path }: TomlStatement, key: readonly string[]): boolean {
  if (kind === "rest") return false;
  return startsWith(path, key) || (kind === "pair" && startsWith(key, path));
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

function withLoose(kept: readonly TomlStatement[], loose: readonly TomlStatement[]): string[] {
  const tables = new Map<string, string[]>();
  for (const { table, text } of loose) {
    const name = JSON.stringify(table);
    tables.set(name, [...(tables.get(name) ?? []), text]);
  }
  const take = (table: readonly string[]): string[] => {
    const texts = tables.get(JSON.stringify(table)) ?? [];
    tables.delete(JSON.stringify(table));
    return texts;
  };
  const parts = take([]);
  for (const statement of kept) {
    parts.push(statement.text);
    if (statement.kind === "header") parts.push(...take(statement.path));
  }
  for (const [name, texts] of tables) {
    const table: unknown = JSON.parse(name);
    const header = Array.isArray(table) ? table.map((key) => JSON.stringify(key)).join(".") : "";
    parts.push(`[${header}]\n`, ...texts);
  }
  return parts;
}

function withBreak(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
