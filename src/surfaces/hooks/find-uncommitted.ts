import { spawnSync } from "node:child_process";

/** Git must answer long before the host gives up on the hook. */
const gitMsMax = 30_000;
const outputBytesMax = 64 * 1024 * 1024;

/** Paths that differ from HEAD and did not before the turn (CW-4Q, R-106); null where git has nothing to say. */
export function findUncommitted(projectDir: string, before: readonly string[]): string[] | null {
  const words = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ...everything];
  const end = spawnSync("git", ["-c", "core.fsmonitor=false", "-C", projectDir, ...words], {
    encoding: "utf8",
    timeout: gitMsMax,
    maxBuffer: outputBytesMax,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (end.error !== undefined || end.status !== 0) return null;
  const former = new Set(before);
  const paths = end.stdout.split("\0").map((entry) => entry.slice(3));
  return paths.filter((path) => path !== "" && !former.has(path));
}

/** The whole repository but what ralph itself writes beside the work. */
const everything = [":/", ":(exclude).ralph", ":(exclude).ralph-active"];
