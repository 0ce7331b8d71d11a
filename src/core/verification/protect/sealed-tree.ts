import { matchPaths } from "./path-glob.ts";
import type { Protection, Protections } from "./protection.ts";

/** A file of a tree as git lists it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
export type TreeFile = { mode: string; object: string };

/** The files of a tree by their paths from its top. */
export type TreeFiles = ReadonlyMap<string, TreeFile>;

/** Where a file of a sealed copy comes from. `merged`: a manifest with the base's protected keys. */
export type SealedFile = TreeFile & { path: string } & (
    | { from: "base"; protection: Protection }
    | { from: "candidate"; protection: Protection | null }
    | { from: "merged"; protection: null; baseObject: string | null; keys: readonly string[] }
  );

/** A file of the candidate that a sealed copy does not have. */
export type LeftOut = { path: string; protection: Protection; reason: "new" | "in-the-way" };

/** What a sealed copy holds, and what it does otherwise than the candidate. */
export type SealedTree = {
  files: SealedFile[];
  leftOut: LeftOut[];
  /** Files of the base that the candidate changed or removed and that are as they were. */
  restored: { path: string; protection: Protection; change: "changed" | "removed" }[];
  /** Tests of the base that the candidate changed or removed: variant B has to be run. */
  changedTests: string[];
};

/** What a sealed tree is made of. A: tests of the base. B: the candidate's own tests. Configuration is the base's in both. */
export type SealedTreeOptions = {
  base: TreeFiles;
  candidate: TreeFiles;
  protections: Protections;
  variant: "A" | "B";
};

/** Decides for each path of the base and of the candidate which one a sealed copy gets. */
export function sealedTree(options: SealedTreeOptions): SealedTree {
  const { base, candidate, protections, variant } = options;
  const files: SealedFile[] = [];
  const restored: SealedTree["restored"] = [];
  const changedTests: string[] = [];
  const taken = new Set<string>();
  for (const [path, file] of base) {
    const protection = restoredAs(path, protections);
    if (protection === null) continue;
    const now = candidate.get(path);
    const isSame = now !== undefined && now.object === file.object && now.mode === file.mode;
    if (protection === "test" && !isSame) changedTests.push(path);
    if (protection === "test" && variant === "B") continue;
    files.push({ path, ...file, from: "base", protection });
    taken.add(path);
    if (!isSame) restored.push({ path, protection, change: now === undefined ? "removed" : "changed" });
  }
  const isInTheWay = blockedBy(taken);
  const leftOut: LeftOut[] = [];
  const folders = new Set([...base.keys()].map(folderOf));
  for (const [path, file] of candidate) {
    if (taken.has(path)) continue;
    const protection = protections.protectionOf(path);
    const isNew = !base.has(path);
    if (isNew && isKeptOut({ path, protection, folders }))
      leftOut.push({ path, protection: protection ?? "named", reason: "new" });
    else if (isInTheWay(path)) leftOut.push({ path, protection: protection ?? "named", reason: "in-the-way" });
    else files.push(ofCandidate({ path, file, base, folders, protections }));
  }
  return { files, leftOut, restored, changedTests };
}

/** Why the base's form of a path counts; null when the candidate's does. */
function restoredAs(path: string, protections: Protections): Protection | null {
  const protection = protections.protectionOf(path);
  return protection === "shadow" ? null : protection;
}

type NewFile = { path: string; protection: Protection | null; folders: ReadonlySet<string> };

/** A new test stays; anything else that is protected was absent at the base and stays absent. */
function isKeptOut({ path, protection, folders }: NewFile): boolean {
  if (protection === null || protection === "test") return false;
  const isOwnFolder = !folders.has(folderOf(path));
  return !(protection === "runner" && isOwnFolder && isScoped(path));
}

/** Configuration that concerns its own folder alone: a new package brings it along. */
const isScoped = matchPaths(["tsconfig*.json", "jsconfig*.json"]);

type CandidateFile = {
  path: string;
  file: TreeFile;
  base: TreeFiles;
  folders: ReadonlySet<string>;
  protections: Protections;
};

function ofCandidate({ path, file, base, folders, protections }: CandidateFile): SealedFile {
  const former = base.get(path) ?? null;
  const protection = protections.protectionOf(path);
  // In a folder of its own a new manifest concerns nothing that the base has.
  const isOwnPlace = former === null && !folders.has(folderOf(path));
  const keys = isOwnPlace || !isRegular(file) ? [] : protections.keysOf(path);
  if (keys.length === 0 || former?.object === file.object) return { path, ...file, from: "candidate", protection };
  const baseObject = former !== null && isRegular(former) ? former.object : null;
  return { path, ...file, from: "merged", protection: null, baseObject, keys };
}

/** Says of a path whether a taken one is above it or below it: a tree cannot hold both. */
function blockedBy(taken: ReadonlySet<string>): (path: string) => boolean {
  const folders = new Set<string>();
  for (const path of taken) for (const folder of foldersOf(path)) folders.add(folder);
  return (path) => folders.has(path) || foldersOf(path).some((folder) => taken.has(folder));
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.push(path.slice(0, end));
  return folders;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function isRegular({ mode }: TreeFile): boolean {
  return mode.startsWith("100");
}
