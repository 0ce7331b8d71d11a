import { readTomlStatements, type TomlStatement } from "../protect/toml-statements.ts";
import type { LockEntry, LockFile } from "./lock-entry.ts";
import { readNpmLock } from "./npm-lock.ts";

type Reader = (text: string) => LockEntry[] | null;

/** Lock files by their names, with how each is read. */
const readers: Readonly<Record<string, Reader>> = {
  "package-lock.json": readNpmLock,
  "npm-shrinkwrap.json": readNpmLock,
  "pnpm-lock.yaml": readPnpmLock,
  "yarn.lock": readYarnLock,
  "poetry.lock": readPackageTables,
  "uv.lock": readPackageTables,
  "Cargo.lock": readPackageTables,
  "go.sum": readGoSum,
  "go.mod": readGoMod,
  "Gemfile.lock": readGemLock,
};

/** Names of the files that pin packages. */
export const lockNames: readonly string[] = Object.keys(readers);

/** What a lock file pins, by its name. A file of another kind, or one that cannot be read, has no entries. */
export function readLock(path: string, text: string): LockFile {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const entries = Object.hasOwn(readers, name) ? (readers[name]?.(text) ?? null) : null;
  return { isReadable: entries !== null, entries: entries ?? [] };
}

/** `packages:` of pnpm: a key `name@version` (`/name@version` before version 9), its hash and what it loads below it. */
function readPnpmLock(text: string): LockEntry[] | null {
  if (!/^lockfileVersion:/m.test(text)) return null;
  const found = new Map<string, LockEntry & { dependencies: string[] }>();
  let current: (LockEntry & { dependencies: string[] }) | null = null;
  let isDependencies = false;
  for (const line of sectionLines(text, ["packages:", "snapshots:"])) {
    const key = /^ {2}['"]?\/?([^\s'"].*?)['"]?:\s*$/.exec(line)?.[1];
    if (key !== undefined) {
      const bare = key.replace(/\(.*$/, "");
      const at = Math.max(bare.lastIndexOf("@"), bare.startsWith("@") ? 1 : 0);
      const [name, version] = [bare.slice(0, at), bare.slice(at + 1)];
      current = found.get(bare) ?? { name, version, integrity: null, dependencies: [] };
      found.set(bare, current);
      isDependencies = false;
      continue;
    }
    if (current === null) continue;
    const resolution = /^ {4}resolution: *\{(.*)\}/.exec(line)?.[1];
    if (resolution !== undefined) current.integrity = resolution;
    if (/^ {4}\S/.test(line)) isDependencies = /^ {4}(?:optionalD|d)ependencies:/.test(line);
    const dependency = isDependencies ? /^ {6}['"]?([^\s'":]+)['"]?:/.exec(line)?.[1] : undefined;
    if (dependency !== undefined) current.dependencies.push(dependency);
  }
  return [...found.values()];
}

function* sectionLines(text: string, sections: readonly string[]): Generator<string> {
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\S/.test(line)) isInside = sections.includes(line.trim());
    else if (isInside) yield line;
  }
}

/** Both forms of yarn: `version "1"` with `integrity`, or `version: 1` with `checksum:`. */
function readYarnLock(text: string): LockEntry[] | null {
  if (!/yarn lockfile|^__metadata:/m.test(text)) return null;
  const blocks = text.split(/\r?\n(?=\S)/).filter((block) => /^["\w@]/.test(block) && !block.startsWith("__metadata"));
  return blocks.flatMap((block) => {
    const [head = "", ...lines] = block.split(/\r?\n/);
    const name = /^"?(@?[^@"]+)@/.exec(head)?.[1];
    const value = (field: string): string | null =>
      lines.map((line) => new RegExp(`^ {2}${field}:? +"?([^"]+)"?\\s*$`).exec(line)?.[1]).find(Boolean) ?? null;
    const version = value("version");
    if (name === undefined || version === null) return [];
    const dependencies = lines.flatMap((line) => /^ {4}"?(@?[^\s":]+)"?:? /.exec(line)?.[1] ?? []);
    return [{ name, version, integrity: value("integrity") ?? value("checksum") ?? value("resolved"), dependencies }];
  });
}

/** `[[package]]` of poetry, uv and cargo. */
function readPackageTables(text: string): LockEntry[] | null {
  const groups: TomlStatement[][] = [];
  for (const statement of readTomlStatements(text)) {
    const isPackage = statement.kind === "header" && statement.path.join(".") === "package";
    if (isPackage) groups.push([]);
    if (statement.path[0] === "package") groups.at(-1)?.push(statement);
  }
  if (groups.length === 0 && !/^\s*(?:version|metadata|\[metadata\])/m.test(text)) return null;
  return groups.flatMap((group) => {
    const value = (key: string): string | null => {
      const found = group.find(({ kind, path }) => kind === "pair" && path.join(".") === `package.${key}`);
      return found === undefined ? null : found.text.slice(found.text.indexOf("=") + 1).trim();
    };
    const name = unquoted(value("name"));
    if (name === null) return [];
    const hashes = ["checksum", "files", "sdist", "wheels", "source"].map(value).filter((each) => each !== null);
    const integrity = hashes.length === 0 ? null : hashes.join(" ");
    return [{ name, version: unquoted(value("version")) ?? "", integrity, dependencies: namesLoaded(group, value) }];
  });
}

/** Cargo lists `"name version"`, uv `{ name = "x" }`, poetry has a table of its own. */
function namesLoaded(group: readonly TomlStatement[], value: (key: string) => string | null): string[] {
  const list = value("dependencies") ?? "";
  const named = [...list.matchAll(/name = "([^"]+)"/g)].map((match) => match[1] ?? "");
  const plain = [...list.matchAll(/"([^"\s]+)[^"]*"/g)].map((match) => match[1] ?? "");
  const table = group.filter(({ kind, path }) => kind === "pair" && path[1] === "dependencies" && path.length === 3);
  const own = table.map(({ path }) => path[2] ?? "");
  return [...(named.length > 0 ? named : plain), ...own];
}

function unquoted(text: string | null): string | null {
  return text === null ? null : text.replace(/^["'](.*)["']$/, "$1");
}

function readGoSum(text: string): LockEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [name, version, integrity] = line.trim().split(/\s+/);
    if (name === undefined || version === undefined || integrity === undefined) return [];
    return [{ name, version, integrity, dependencies: [] }];
  });
}

/** `require` says which version counts, `replace` what stands in its place. */
function readGoMod(text: string): LockEntry[] {
  const bare = text.replaceAll(/\/\/.*$/gm, "");
  const found = new Map<string, LockEntry>();
  const lines = [...bare.matchAll(/^\s*(require|replace)\s*(?:\(([\s\S]*?)^\s*\)|(.+)$)/gm)];
  for (const [, verb, block, line] of lines) {
    for (const each of (block ?? line ?? "").split("\n")) {
      const [name, version = "", ...rest] = each.trim().split(/\s+/);
      if (name === undefined || name === "") continue;
      const former = found.get(name) ?? { name, version: "", integrity: null, dependencies: [] };
      const replaced = [version, ...rest].join(" ");
      found.set(name, verb === "require" ? { ...former, version } : { ...former, integrity: replaced });
    }
  }
  return [...found.values()];
}

/** `    name (1.2.3)` below `specs:`, what it loads two columns deeper, and the hashes of `CHECKSUMS`. */
function readGemLock(text: string): LockEntry[] | null {
  if (!/^ {2}specs:/m.test(text)) return null;
  const entries: (LockEntry & { dependencies: string[] })[] = [];
  const hashes = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    if (/^\S/.test(line)) section = line.trim();
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)\s*$/.exec(line) ?? [];
    if (name !== undefined && version !== undefined) {
      entries.push({ name, version, integrity: null, dependencies: [] });
    }
    const loaded = /^ {6}(\S+)/.exec(line)?.[1];
    if (loaded !== undefined) entries.at(-1)?.dependencies.push(loaded);
    const [, hashed, of, hash] = /^ {2}(\S+) \(([^)]+)\) (\S+)/.exec(section === "CHECKSUMS" ? line : "") ?? [];
    if (hashed !== undefined && hash !== undefined) hashes.set(`${hashed} ${of ?? ""}`, hash);
  }
  return entries.map((entry) => ({ ...entry, integrity: hashes.get(`${entry.name} ${entry.version}`) ?? null }));
}
