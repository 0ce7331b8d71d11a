import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { findLoosePaths, isListFile } from "../../core/tasks/task-file/loose-paths.ts";
import { contentMark, prefixFrom, repositoryTop } from "../../shell/prd/content-mark.ts";
import { workFiles } from "../../shell/prd/ralph-folder.ts";
import { createSharedFiles } from "../../shell/shared-files.ts";

/** Git must answer long before the host gives up on the hook. */
const gitMsMax = 30_000;
const outputBytesMax = 64 * 1024 * 1024;

/** What was uncommitted before the turn, and where the task list lies. */
export type TurnStart = { before: ReadonlyMap<string, string> | null; folder: string };

/** Paths that differ from HEAD by this turn (CW-4Q, R-106); null where git has nothing to say. */
export function findUncommitted(directory: string, { before, folder }: TurnStart): string[] | null {
  const projectDir = realpathSync(directory);
  const dirty = findDirty(projectDir);
  if (dirty === null) return null;
  const files = createSharedFiles();
  const top = repositoryTop(files, projectDir);
  const list = { prefix: prefixFrom(top, projectDir), folder, files: workFiles };
  const isOwn = (path: string): boolean => path.startsWith(`${list.prefix}.ralph/`) && !isWorkFile(path, list);
  return findLoosePaths(
    {
      dirty: dirty.filter((path) => !isOwn(path)),
      isAsBefore: (path) => before?.get(path) === contentMark(files, join(top, path)),
    },
    list,
  );
}

/** In `.ralph/`, where a list may lie, everything else is what ralph itself writes. */
function isWorkFile(path: string, list: Parameters<typeof isListFile>[1]): boolean {
  return isListFile(path, list) && workFiles.some((name) => path.endsWith(`/${name}`));
}

function findDirty(projectDir: string): string[] | null {
  const words = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ...everything];
  const end = spawnSync("git", ["-c", "core.fsmonitor=false", "-C", projectDir, ...words], {
    encoding: "utf8",
    timeout: gitMsMax,
    maxBuffer: outputBytesMax,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (end.error !== undefined || end.status !== 0) return null;
  return end.stdout
    .split("\0")
    .map((entry) => entry.slice(3))
    .filter((path) => path !== "");
}

/** The whole repository but the active file. */
const everything = [":/", ":(exclude).ralph-active"];
