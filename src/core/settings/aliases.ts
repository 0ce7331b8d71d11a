import { isObject } from "../text/is-object.ts";

/** Other names for settings; the rest of the program does not know them (CB-02). */
export const aliases: ReadonlyMap<string, string> = new Map([
  ["maxIterations", "maximumIterations"],
  ["max_iterations", "maximumIterations"],
  ["maxRestarts", "maximumIterations"],
  ["default_max_iterations", "maximumIterations"],
  ["completionPromise", "completionResponse"],
  ["missing_spec", "missingSpec"],
  ["verify_command", "verifyCommand"],
]);

/** Settings with every name as it is declared. */
export function withoutAliases(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [aliases.get(key) ?? key, entry]));
}

/** The path as the file wrote it. */
export function writtenPath(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [first, ...rest] = path;
  if (!isObject(value) || first === undefined || Object.hasOwn(value, first)) return path;
  const written = Object.keys(value).findLast((key) => aliases.get(key) === first);
  return written === undefined ? path : [written, ...rest];
}
