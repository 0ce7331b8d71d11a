import { createGit } from "../git.ts";
import { isFailedCall, readStatus } from "./git-status.ts";
import { type LookMachine, lookAt } from "./tree-fingerprint.ts";

/** What was made since a commit: the newest commits, how much changed, and what no commit has. */
export type WorkSince = {
  commits: { id: string; subject: string }[];
  /** Lines of `git diff --stat`, the sum last; empty where nothing differs. */
  diffstat: string[];
  /** Paths with changes, or unknown to git; empty when another commit than the present work tree is meant. */
  uncommitted: string[];
};

/** More would hide the rest of what is shown. */
const commitsMax = 20;
const filesMax = 20;
const statWidth = 76;

/** What lies between two commits, or between one and the work tree (`until` null); null where git cannot say. */
export async function workSince(
  machine: LookMachine,
  directory: string,
  { since, until }: { since: string; until: string | null },
): Promise<WorkSince | null> {
  const place = lookAt(machine, directory);
  const git = createGit(place, { turnMarker: `${place.runId}.look/${process.pid}` });
  const range = `${since}..${until ?? "HEAD"}`;
  const log = await git(["log", `--max-count=${commitsMax}`, "--format=%h %s", range, "--"]);
  const stat = [`--stat=${statWidth}`, `--stat-count=${filesMax}`];
  const diff = await git(["diff", ...stat, since, ...(until === null ? [] : [until]), "--", ":/", ":(exclude).ralph"]);
  const status = until === null ? await readStatus(git) : null;
  if (log.exitCode !== 0 || diff.exitCode !== 0 || (status !== null && isFailedCall(status))) return null;
  return {
    commits: linesOf(log.stdout).map((line) => ({
      id: line.split(" ", 1)[0] ?? "",
      subject: line.replace(/^\S+ /, ""),
    })),
    diffstat: linesOf(diff.stdout).map((line) => line.trim()),
    uncommitted: status === null ? [] : pathsOf(status),
  };
}

function pathsOf({ staged, unstaged, untracked }: { staged: string[]; unstaged: string[]; untracked: string[] }) {
  return Array.from(new Set([...staged, ...unstaged, ...untracked])).toSorted();
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
