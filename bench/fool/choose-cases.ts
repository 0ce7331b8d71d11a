import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readBase, readCase } from "./read-case.ts";
import { nameOf } from "./results.ts";
import type { Prepared } from "./run-case.ts";

/** Every case of `cases/`, in the order of their names. Throws on a case that names no base. */
export function readCases(folder = import.meta.dirname): Prepared[] {
  const bases = filesOf(join(folder, "bases")).map((path) => readBase(path, readFileSync(path, "utf8")));
  const paths = readdirSync(join(folder, "cases"))
    .toSorted()
    .flatMap((name) => filesOf(join(folder, "cases", name)));
  return paths.map((path) => {
    const fool = readCase(path, readFileSync(path, "utf8"));
    const base = bases.find(({ name }) => name === fool.base);
    if (base === undefined) throw new Error(`${path}: there is no base "${fool.base}"`);
    return { path, base, case: fool };
  });
}

/** The cases whose name contains one of the words, and how many of them each missing program takes away. */
export function chooseCases(
  all: readonly Prepared[],
  only: readonly string[],
  isThere: (program: string) => boolean = isOnPath,
): { chosen: Prepared[]; skipped: Map<string, number> } {
  const named = all.filter((one) => only.length === 0 || only.some((word) => isNamed(nameOf(one.case), word)));
  const skipped = new Map<string, number>();
  const chosen = named.filter(({ base, case: fool }) => {
    const missing = [...base.needs, ...fool.needs].find((program) => !isThere(program));
    if (missing !== undefined) skipped.set(missing, (skipped.get(missing) ?? 0) + 1);
    return missing === undefined;
  });
  return { chosen, skipped };
}

/** A word with a slash begins with the folder: `go/` is not `cargo/`. */
function isNamed(name: string, word: string): boolean {
  return word.includes("/") ? name.startsWith(word) : name.includes(word);
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".case"));
  return names.toSorted().map((name) => join(folder, name));
}
