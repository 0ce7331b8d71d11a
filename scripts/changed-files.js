import { spawnSync } from "node:child_process";

/** The commit that is checked out, or an empty text outside of git. */
export function readHash(root) {
  return git(root, ["rev-parse", "HEAD"]) ?? "";
}

/**
 * The files that differ from where the branch left `origin/main`; on that branch itself, from the commit before. Null when
 * git cannot tell: no repository, a first commit, or a shallow clone that ends before the base.
 */
export function readChangedFiles(root) {
  const head = readHash(root);
  const left = git(root, ["merge-base", "HEAD", "origin/main"]);
  const base = left !== null && left !== head ? left : git(root, ["rev-parse", "--verify", "HEAD~1"]);
  if (base === null) return null;
  const names = git(root, ["diff", "--name-only", "-z", base, "HEAD"]);
  return names === null ? null : names.split("\0").filter((name) => name !== "");
}

function git(root, words) {
  const ended = spawnSync("git", words, { cwd: root, encoding: "utf8", timeout: 30_000, maxBuffer: 64 * 1024 * 1024 });
  return ended.status === 0 ? ended.stdout.trim() : null;
}
