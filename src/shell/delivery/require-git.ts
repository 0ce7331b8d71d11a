import { RalphError } from "../../core/ralph-error.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { findProgram } from "../lib/find-program.ts";
import { askVersion, type VersionContext } from "../processes/ask-version.ts";

/** Where a program is looked for; `looked` has the programs that were found to be git. */
export type GitLook = VersionContext & { projectDir: string; looked: Set<string> };

/** Refuses a delivery by a program that is not git, before the first turn: each of its commits would fail. */
export async function requireGit(look: GitLook, scm: Settings["scm"]): Promise<void> {
  if (scm === null || scm.command === "git" || look.looked.has(scm.command)) return;
  const problem = await gitProblem(look, scm.command);
  if (problem !== null)
    throw new RalphError(
      "settings",
      `scm.command is "${scm.command}", ${problem}, and ralph delivers with git only.`,
      'Set scm.command to "git" or to a program that takes its commands.',
    );
  look.looked.add(scm.command);
}

async function gitProblem(look: GitLook, program: string): Promise<string | null> {
  const file = await findProgram(program, { env: look.env, directory: look.projectDir });
  if (file === null) return "which is not found";
  const answer = await askVersion(file, look);
  return "words" in answer && saysGit(answer.words) ? null : "which does not say that it is git";
}

/** Git and what is built on it begin like this, or have it in their first line. */
export function saysGit(words: string): boolean {
  return /\bgit version \d/.test(words);
}
