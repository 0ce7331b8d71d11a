import { importsOf } from "./imports.ts";
import { isProduct, type SourceFile } from "./source-file.ts";

/** Text and errors: every module may import these, and they import nothing. */
export const everywhere = ["core/assert.ts", "core/ralph-error.ts", "core/text"];

/** Each module of `src`, a folder or a file of its own, with the modules it may import. Paths begin below `src`. */
export type ModuleList = Readonly<Record<string, readonly string[]>>;

/** Reads a list: a line per module, its name, a colon, what it may import. */
export function parseModules(text: string): ModuleList {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const modules: Record<string, string[]> = Object.fromEntries(
    everywhere.map((name): [string, string[]] => [name, []]),
  );
  for (const line of lines) {
    const [name = "", allowed = ""] = line.split(":");
    modules[name] = allowed.split(" ").filter(Boolean);
  }
  return modules;
}

/** Imports that the line of their module does not allow, and files of no module. */
export function findForeignImports(files: readonly SourceFile[], modules: ModuleList): string[] {
  return files
    .filter((file) => isProduct(file) && file.path.startsWith("src/"))
    .flatMap((file) => {
      const own = moduleOf(file.path, modules);
      if (own === null) return [`${file.path} belongs to no module`];
      const allowed = [own, ...everywhere, ...(modules[own] ?? [])];
      return importsOf(file)
        .filter(({ target }) => target.startsWith("src/") && target.endsWith(".ts"))
        .filter(({ target }) => !allowed.includes(moduleOf(target, modules) ?? ""))
        .map(({ target }) => `${file.path} -> ${target}`);
    });
}

/** Modules that reach themselves through what they may import, each with the way. */
export function findCircles(modules: ModuleList): string[] {
  const settled = new Set<string>();
  const circles: string[] = [];
  const walk = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) {
      circles.push([...way.slice(way.indexOf(name)), name].join(" -> "));
      return;
    }
    if (settled.has(name)) return;
    for (const next of modules[name] ?? []) walk(next, [...way, name]);
    settled.add(name);
  };
  for (const name of Object.keys(modules)) walk(name, []);
  return circles;
}

/** Lines that allow what nobody imports, or that name no module. */
export function findIdleLines(files: readonly SourceFile[], modules: ModuleList): string[] {
  const used = new Map<string, Set<string>>();
  for (const file of files.filter(isProduct)) {
    const own = moduleOf(file.path, modules) ?? "";
    const targets = used.get(own) ?? new Set();
    for (const { target } of importsOf(file)) targets.add(moduleOf(target, modules) ?? "");
    used.set(own, targets);
  }
  return Object.entries(modules).flatMap(([name, allowed]) => [
    ...(used.has(name) ? [] : [`${name} has no file`]),
    ...allowed.filter((other) => used.get(name)?.has(other) !== true).map((other) => `${name} never imports ${other}`),
  ]);
}

/** A file is of the module with its own path, else of its folder's. */
function moduleOf(path: string, modules: ModuleList): string | null {
  const name = path.replace(/^src\//, "");
  const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
  return [name, folder].find((each) => modules[each] !== undefined) ?? null;
}
