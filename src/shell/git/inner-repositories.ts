import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SharedFiles } from "../ports.ts";
import type { Git } from "./git.ts";
import { findRepository, repositoryVariablesOf } from "./repository.ts";

/** A submodule: a path that stands for a commit of another repository. */
export type Link = { path: string; commit: string };

/** How a submodule stands that is not as its link says: its commit, and a text that differs when other changes stand in it. */
export type LinkState = { head: string; changes: string };

/**
 * What of a submodule no commit of the outer repository holds; null when it is as its link says, or is not there. What a
 * build leaves there untracked does not count; files whose changes are hidden from git do.
 */
export async function readLinkState(disk: SharedFiles, git: Git, top: string, link: Link): Promise<LinkState | null> {
  const directory = join(top, link.path);
  const inner = findRepository(disk, directory);
  if (inner === null || inner.top !== directory) return null;
  const ask = async (...words: string[]): Promise<string> => {
    const end = await git(words, { directory, env: repositoryVariablesOf(inner) });
    return end.exitCode === 0 ? end.stdout : `failed: ${end.exitCode}`;
  };
  const head = (await ask("rev-parse", "--verify", "--quiet", "HEAD")).trim();
  const status = await ask("status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=none");
  const hidden = (await ask("ls-files", "-v", "-z")).split("\0").filter((line) => /^(?!H )./.test(line));
  if (head === link.commit && status === "" && hidden.length === 0) return null;
  const diff = await ask("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", "HEAD");
  const changes = createHash("sha256")
    .update([head, status, diff, ...hidden].join("\0"))
    .digest("hex");
  return { head, changes };
}
