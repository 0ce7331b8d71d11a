import { roles } from "../tasks/criteria/role.ts";
import { isObject } from "../text/is-object.ts";
import { mergeLayers } from "../text/merge.ts";

/** Other names for settings, `<role>` standing for each role; the rest of the program does not know them (CB-02). */
export const aliasPatterns: readonly (readonly [alias: string, key: string])[] = [
  ["maxIterations", "maximumIterations"],
  ["max_iterations", "maximumIterations"],
  ["maxRestarts", "maximumIterations"],
  ["default_max_iterations", "maximumIterations"],
  ["completionPromise", "completionResponse"],
  ["missing_spec", "missingSpec"],
  ["verify_command", "verifyCommand"],
  ["ralph.enabled", "loop.enabled"],
  ["ralph.default_max_iterations", "maximumIterations"],
  ["ralph.default_verification", "verification.default"],
  ...["ralph.<role>", "ralph.agents.<role>"].flatMap((group) => [
    [`${group}.enabled`, "work.loops.<role>"] as const,
    [`${group}.max_iterations`, "work.maxIterations.<role>"] as const,
    [`${group}.promise`, "work.promises.<role>"] as const,
    [`${group}.default_promise`, "work.promises.<role>"] as const,
    [`${group}.verification`, "work.verification.<role>"] as const,
    [`${group}.default_verification`, "work.verification.<role>"] as const,
  ]),
];

/** The same for every role. Dots separate the names of nested objects. */
export const aliases: ReadonlyMap<string, string> = new Map(
  aliasPatterns.flatMap(([alias, key]) =>
    alias.includes("<role>")
      ? roles.map((role) => [alias.replace("<role>", role), key.replace("<role>", role)] as const)
      : [[alias, key] as const],
  ),
);

/** Settings with every name as it is declared. A declared name wins over another one. */
export function withoutAliases(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { found, rest } = split(value, "");
  const renamed = found.reduce<unknown>((all, { key, entry }) => mergeLayers(all, nested(key, entry)), {});
  return found.length === 0 ? value : mergeLayers(renamed, rest);
}

/** The path as the file wrote it. */
export function writtenPath(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  if (!isObject(value) || has(value, path)) return path;
  for (let length = path.length; length > 0; length--) {
    const key = path.slice(0, length).join(".");
    const names = [...aliases].flatMap(([alias, target]) => (target === key ? [[alias], alias.split(".")] : []));
    const written = names.findLast((name) => has(value, name));
    if (written !== undefined) return [...written, ...path.slice(length)];
  }
  return path;
}

type Json = Record<string, unknown>;
type Found = { key: string; entry: unknown };

/** Takes every entry with another name out of an object, and out of those inside it that are groups of such names. */
function split(value: Json, prefix: string): { found: Found[]; rest: Json } {
  const parts = Object.entries(value).map(([name, entry]) => splitEntry(name, entry, prefix));
  return {
    found: parts.flatMap(({ found }) => found),
    rest: Object.fromEntries(parts.flatMap(({ rest }) => rest)),
  };
}

function splitEntry(name: string, entry: unknown, prefix: string): { found: Found[]; rest: [string, unknown][] } {
  const path = `${prefix}${name}`;
  const key = aliases.get(path);
  if (key !== undefined) return { found: [{ key, entry }], rest: [] };
  if (!isObject(entry) || !isGroup(path)) return { found: [], rest: [[name, entry]] };
  const { found, rest } = split(entry, `${path}.`);
  const isEmptied = found.length > 0 && Object.keys(rest).length === 0;
  return { found, rest: isEmptied ? [] : [[name, rest]] };
}

function isGroup(path: string): boolean {
  return [...aliases.keys()].some((alias) => alias.startsWith(`${path}.`));
}

function nested(key: string, entry: unknown): unknown {
  return key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
}

function has(value: unknown, [first, ...rest]: readonly PropertyKey[]): boolean {
  if (first === undefined) return true;
  if (Array.isArray(value)) return has(value[Number(first)], rest);
  return isObject(value) && Object.hasOwn(value, first) && has(value[String(first)], rest);
}
