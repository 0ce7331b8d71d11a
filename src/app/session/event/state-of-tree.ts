import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { askGitInHook } from "../../../shell/git/git-in-hook.ts";
import { lstatExactly } from "../../../shell/lib/stat-if-there.ts";

/**
 * A text that differs when HEAD is another commit, or when any file that git does not ignore was written, made or removed.
 * It comes from what the file system says of each file: no filter and no flag of the index can hide a change. Null outside
 * git, in a repository with others inside it, and where there are too many files.
 */
export function stateOfTree(projectDir: string): string | null {
  const files = filesOfTree(projectDir);
  if (files === null) return null;
  const hash = createHash("sha256");
  for (const [path, text] of files) hash.update(`${path}\0${text}\0`);
  return hash.digest("hex");
}

/** The same for each path from the top of the repository, and for HEAD by an empty path. */
export function filesOfTree(projectDir: string): ReadonlyMap<string, string> | null {
  const head = askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD"]) ?? "";
  const top = askGitInHook(projectDir, ["rev-parse", "--show-toplevel"])?.replace(/\n$/, "");
  const listed = askGitInHook(projectDir, [...list, "--", ":(top)"]);
  if (top === undefined || listed === null) return null;
  const prefix = relative(realpathSync(top), realpathSync(projectDir));
  const own = [".ralph/", ".ralph-active"].map((name) => (prefix === "" ? name : `${prefix}/${name}`));
  const isOurs = (path: string): boolean => own.some((name) => path === name || path.startsWith(name));
  const paths = [...new Set(listed.split("\0"))].filter((path) => path !== "" && !isOurs(path));
  if (paths.length > pathsMax) return null;
  const files = new Map([["", head]]);
  for (const path of paths) {
    const text = statText(join(top, path));
    if (text === null) return null;
    files.set(path, text);
  }
  return files;
}

/** Tracked and new files; what `.git/info/exclude` hides is listed all the same. */
const list = ["ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-per-directory=.gitignore"];

/** Where reading the state of every file takes longer than most checks. */
const pathsMax = 200_000;

/**
 * The time of the last change of a file's record cannot be set by its owner, unlike that of its content. Null for a
 * folder: git lists only those that hold a repository of their own; and for a path that cannot be looked at, in a folder
 * of another user or behind a link to itself.
 */
function statText(path: string): string | null {
  try {
    const entry = lstatExactly(path);
    if (entry === null) return "gone";
    return entry.isDirectory() ? null : [entry.mode, entry.size, entry.ino, entry.mtimeNs, entry.ctimeNs].join(" ");
  } catch {
    return null;
  }
}
