import { createHash } from "node:crypto";
import { askGitInHook } from "../../../shell/git/git-in-hook.ts";
import { isFrozen, readLoopMark } from "./frozen-criteria.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HostEvent } from "../event/host-event.ts";

/**
 * A text that differs when committed content, tracked files or the names of new files differ; an empty commit is no
 * change. Null outside git: then nobody can
 * tell. Three calls of git, made when a loop begins and for a claim that needs a change.
 */
export function treeMark(projectDir: string): string | null {
  const head = askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]) ?? "";
  const status = askGitInHook(projectDir, ["status", "--porcelain", "-z", "--untracked-files=all", "--", ...paths]);
  if (status === null) return null;
  const words = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", ...(head === "" ? [] : ["HEAD"])];
  const diff = askGitInHook(projectDir, [...words, "--", ...paths]) ?? "";
  return createHash("sha256").update(`${head}\0${status}\0${diff}`).digest("hex");
}

/**
 * Null where nobody knew how the tree stood when the loop began. False also when git could read the tree and cannot any
 * more, and when what was remembered of it is gone.
 */
export function hasChangedSinceStart(event: HostEvent, tools: HookTools): boolean | null {
  if (!isFrozen(event, tools)) return false;
  const before = readLoopMark(event, tools);
  if (before === null) return null;
  const now = treeMark(event.projectDir);
  return now !== null && before !== now;
}

/** The project without what ralph itself writes. */
const paths = [".", ":(exclude).ralph", ":(exclude).ralph-active"];
