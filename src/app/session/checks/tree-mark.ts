import { createHash } from "node:crypto";
import { hasChangedSince } from "../../../core/session/stops/session-checks.ts";
import { askGitInHook } from "../../../shell/git/git-in-hook.ts";
import { isFrozen, readLoopMark } from "./frozen-criteria.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HostEvent } from "../event/host-event.ts";

/**
 * A text that differs when committed content, tracked files or the names of new files differ; an empty commit is no
 * change. Null outside git: then nobody can tell. Three calls of git, made when a loop begins and for a claim that needs a
 * change.
 */
export function treeMark(projectDir: string): string | null {
  const head = askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]) ?? "";
  const status = askGitInHook(projectDir, ["status", "--porcelain", "-z", "--untracked-files=all", "--", ...paths]);
  if (status === null) return null;
  const words = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", ...(head === "" ? [] : ["HEAD"])];
  const diff = askGitInHook(projectDir, [...words, "--", ...paths]) ?? "";
  return createHash("sha256").update(`${head}\0${status}\0${diff}`).digest("hex");
}

/** Whether the tree has changed since the session's loop began; null: nobody can tell. */
export function hasChangedSinceStart(event: HostEvent, tools: HookTools): boolean | null {
  const start = { isKept: isFrozen(event, tools), mark: readLoopMark(event, tools) };
  return hasChangedSince(start, () => treeMark(event.projectDir));
}

/** The project without what ralph itself writes. */
const paths = [".", ":(exclude).ralph", ":(exclude).ralph-active"];
