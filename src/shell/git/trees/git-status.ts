import type { Git } from "../git.ts";
import type { ToolEnd } from "../run-tool.ts";

/** What differs in a work tree: from HEAD, from the index, and what git does not know. */
export type GitStatus = {
  /** The commit checked out; `(initial)` when there is none yet. */
  head: string;
  /** Paths whose content in the index differs from HEAD. */
  staged: string[];
  /** Tracked paths that differ from the index. */
  unstaged: string[];
  untracked: string[];
  /** Equal texts: the same commit, index, tracked changes and untracked names. */
  fingerprint: string;
};

/** Ralph's own folder is nobody's change. Changes inside a submodule cannot be staged from here. */
const statusWords = [
  "status",
  "--porcelain=v2",
  "--branch",
  "--untracked-files=all",
  "--ignore-submodules=dirty",
  "-z",
  "--",
  ":/",
  ":(exclude).ralph",
];

/** Reads the status of the repository; a failed call is returned as it is. */
export async function readStatus(git: Git): Promise<GitStatus | ToolEnd> {
  const end = await git(statusWords);
  return end.exitCode === 0 ? parseStatus(end.stdout) : end;
}

/** Whether a call of git failed instead of answering. */
export function isFailedCall(answer: GitStatus | ToolEnd): answer is ToolEnd {
  return "exitCode" in answer;
}

/** Reads `--porcelain=v2 -z`: one entry each, a rename followed by its old name. */
export function parseStatus(text: string): GitStatus {
  const status: GitStatus = { head: "", staged: [], unstaged: [], untracked: [], fingerprint: "" };
  const entries = text.split("\0");
  const facts: string[] = [];
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? "";
    const kind = entry[0];
    if (entry.startsWith("# branch.oid ")) status.head = entry.slice("# branch.oid ".length);
    // How far a branch is ahead of its remote says nothing about the tree.
    if (!entry.startsWith("# branch.") || entry.startsWith("# branch.oid ")) facts.push(entry);
    if (kind === "?") status.untracked.push(entry.slice(2));
    if (kind !== "1" && kind !== "2" && kind !== "u") continue;
    const path = entry.split(" ").slice(fieldsBeforePath[kind]).join(" ");
    if (entry[2] !== ".") status.staged.push(path);
    if (entry[3] !== ".") status.unstaged.push(path);
    if (kind === "2") at += 1;
  }
  return { ...status, fingerprint: facts.join("\0") };
}

/** Fields before the path in an entry for an ordinary change, a rename or a conflict. */
const fieldsBeforePath = { "1": 8, "2": 9, u: 10 };
