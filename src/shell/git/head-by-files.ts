import { join } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { SharedFiles } from "../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit of HEAD by the files of the repository, because a process of git for it costs as much as a look at a small
 * work tree. Null where only git can tell: a chain of references, another kind of reference store, a strange name, or a
 * folder that git takes for no repository.
 */
export function headByFiles(disk: SharedFiles, { gitDir, commonDir }: Repository): string | null {
  if (["objects", "refs"].some((name) => disk.look(join(commonDir, name))?.kind !== "folder")) return null;
  const head = textAt(disk, join(gitDir, "HEAD")) ?? "";
  if (isCommit(head)) return head;
  const branch = /^ref: (refs\/heads\/[\w/.+@-]+)$/.exec(head)?.[1];
  if (branch === undefined || /\.\.|\/\/|\/\./.test(branch)) return null;
  const commit = textAt(disk, join(commonDir, branch));
  if (commit !== "") return commit !== null && isCommit(commit) ? commit : null;
  const line = (textAt(disk, join(commonDir, "packed-refs")) ?? "")
    .split("\n")
    .find((each) => each.endsWith(` ${branch}`));
  const packed = line?.split(" ", 1)[0] ?? "";
  return isCommit(packed) ? packed : null;
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
