import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { listFiles } from "../list-files.ts";

/** Files looked at outside git; a larger tree is compared by its first so many. */
const filesMax = 20_000;

/**
 * A text that differs when the work tree or its commits differ. In git the tree is written through an index of its
 * own, so neither the user's index nor ignored files matter; elsewhere sizes and times of the files tell.
 */
export async function treeFingerprint(directory: string): Promise<string> {
  const index = join(tmpdir(), `ralph-index-${randomUUID()}`);
  const git = (...args: string[]) => runGit(directory, index, args);
  try {
    const head = await git("rev-parse", "--verify", "-q", "HEAD");
    await git("add", "-A", "--", ".", ":!.ralph");
    return `${head ?? "no commit"} ${(await git("write-tree")) ?? (await filesFingerprint(directory))}`;
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** HEAD of a directory, or null outside git. */
export function headCommit(directory: string): Promise<string | null> {
  return runGit(directory, null, ["rev-parse", "--verify", "-q", "HEAD"]);
}

/** Whether a directory lies in a repository. */
export async function isRepository(directory: string): Promise<boolean> {
  return (await runGit(directory, null, ["rev-parse", "--git-dir"])) !== null;
}

/** Whose name a commit would carry; null when git does not know. */
export async function committerOf(directory: string): Promise<string | null> {
  const identity = await runGit(directory, null, ["var", "GIT_COMMITTER_IDENT"]);
  return identity === null ? null : identity.replace(/ \d+ [+-]\d+$/, "");
}

/** Tracked files that differ from HEAD; null outside git. */
export async function trackedChanges(directory: string): Promise<string[] | null> {
  const status = await runGit(directory, null, ["status", "--porcelain", "--untracked-files=no"]);
  return status === null ? null : status.split("\n").filter((line) => line !== "");
}

/** Null when git is missing, fails, or the directory is no repository. */
function runGit(directory: string, index: string | null, args: string[]): Promise<string | null> {
  const env = index === null ? process.env : { ...process.env, GIT_INDEX_FILE: index };
  return new Promise((resolve) => {
    execFile("git", ["-C", directory, ...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
      resolve(error === null ? stdout.trimEnd() : null),
    );
  });
}

async function filesFingerprint(directory: string): Promise<string> {
  const hash = createHash("sha256");
  const paths = await listFiles(directory, new Set(["node_modules", ".ralph"]));
  const names = paths.toSorted().slice(0, filesMax);
  for (const name of names) {
    const facts = await stat(name).catch(() => null);
    hash.update(`${name} ${facts?.size} ${facts?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}
