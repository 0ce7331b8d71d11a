import { takesNew } from "../../core/policies/candidate.ts";
import { describeFailure } from "../git/run-tool.ts";
import { namelessFiles } from "../git/trees/commit-gaps.ts";
import { untrackedNow } from "../git/trees/stage-tree.ts";
import type { Delivery } from "./delivery.ts";

/** Stages what `scm.stage` says, by the same rule as the candidate. `left` are new files that stay out. */
export async function stage(delivery: Delivery): Promise<{ left: string[] } | { problem: string }> {
  const { git, run, scm, context } = delivery;
  const updated = await git(["add", "--update"]);
  if (updated.exitCode !== 0) return { problem: describeFailure("add", updated) };
  const untrackedAtStart = context.frozen.untrackedAtStart ?? null;
  const isTaken = takesNew({ stage: scm.stage, untrackedAtStart });
  const untracked = await untrackedNow(run);
  const taken = untracked.filter((path) => !path.endsWith("/") && isTaken(path));
  const left = untracked.filter((path) => path.endsWith("/") || !isTaken(path));
  if (taken.length === 0) return { left };
  const [nameless] = namelessFiles(run, taken);
  if (nameless !== undefined) return { problem: `the name of ${nameless} is not UTF-8; rename the file.` };
  // Which files are ignored was asked before: by the patterns of the time before the first turn.
  const words = ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const stdin = taken.map((path) => `:(top,literal)${path}`).join("\0");
  const added = await git(words, { stdin });
  return added.exitCode === 0 ? { left } : { problem: describeFailure("add", added) };
}
