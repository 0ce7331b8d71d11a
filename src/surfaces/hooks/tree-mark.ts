import { createHash } from "node:crypto";
import { askGitInHook } from "../../shell/git/git-in-hook.ts";

/**
 * A text that differs when commits, tracked files or the names of new files differ. Null outside git: then nobody can
 * tell. Three calls of git, made when a loop begins and for a claim that needs a change.
 */
export function treeMark(projectDir: string): string | null {
  const head = askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD"]) ?? "";
  const status = askGitInHook(projectDir, ["status", "--porcelain", "-z", "--untracked-files=all", "--", ...paths]);
  if (status === null) return null;
  const words = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", ...(head === "" ? [] : ["HEAD"])];
  const diff = askGitInHook(projectDir, [...words, "--", ...paths]) ?? "";
  return createHash("sha256").update(`${head}\0${status}\0${diff}`).digest("hex");
}

/** The project without what ralph itself writes. */
const paths = [".", ":(exclude).ralph", ":(exclude).ralph-active"];
