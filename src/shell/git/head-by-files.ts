import { join } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { SharedFiles } from "../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit of HEAD by the files of the repository, because a process of git for it costs as much as a look at a small
 * work tree. Null where only git can tell: a chain of references, another kind of reference store, a strange name, or a
 * folder that git takes for no repository.
 */
export function headByFiles(disk: SharedFiles, repository: Repository): string | null {
  if (!isRepository(disk, repository)) return null;
  const head = textAt(disk, join(repository.gitDir, "HEAD")) ?? "";
  if (isCommit(head)) return head;
  const branch = branchIn(head);
  return branch === null ? null : commitByFiles(disk, repository, branch);
}

/** The branch that HEAD stands on, such as `refs/heads/main`. Null where only git can tell, also where there is none. */
export function branchByFiles(disk: SharedFiles, repository: Repository): string | null {
  return isRepository(disk, repository) ? branchIn(textAt(disk, join(repository.gitDir, "HEAD")) ?? "") : null;
}

/** The commit of a branch such as `refs/heads/main`. Null where only git can tell, also where there is none. */
export function commitByFiles(disk: SharedFiles, repository: Repository, branch: string): string | null {
  const { commonDir } = repository;
  if (!isPlain(branch) || !isRepository(disk, repository)) return null;
  const commit = textAt(disk, join(commonDir, branch));
  if (commit !== "") return commit !== null && isCommit(commit) ? commit : null;
  const line = (textAt(disk, join(commonDir, "packed-refs")) ?? "")
    .split("\n")
    .find((each) => each.endsWith(` ${branch}`));
  const packed = line?.split(" ", 1)[0] ?? "";
  return isCommit(packed) ? packed : null;
}

/** Whether its references are plain files: beside a `reftable` those that git no longer reads may be left. */
function isRepository(disk: SharedFiles, { commonDir }: Repository): boolean {
  if (disk.look(join(commonDir, "reftable")) !== null) return false;
  return ["objects", "refs"].every((name) => disk.look(join(commonDir, name))?.kind === "folder");
}

function branchIn(head: string): string | null {
  const branch = head.startsWith("ref: ") ? head.slice("ref: ".length) : "";
  return isPlain(branch) ? branch : null;
}

function isPlain(branch: string): boolean {
  return /^refs\/heads\/[\w/.+@-]+$/.test(branch) && !/\.\.|\/\/|\/\./.test(branch);
}

function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** Empty where there is no such file; null where git must decide: a link, a folder, or too much to read. */
function textAt(disk: SharedFiles, path: string): string | null {
  try {
    return (readSharedText(path, disk) ?? "").trim();
  } catch {
    return null;
  }
}
