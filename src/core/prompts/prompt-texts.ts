/** Texts an agent reads. Agents and users rely on the exact words; golden tests hold them. */

/** The outermost line of a prompt when the count is wanted (S1-40). */
export function iterationLine(iteration: number, iterationsMax: number | null): string {
  if (iterationsMax === null) return `Iteration ${iteration}, no limit.`;
  return `Iteration ${iteration} of ${iterationsMax}, ${iterationsMax - iteration} remaining.`;
}

/** How to claim. */
export function claimInstruction(tag: "promise" | "response", expected: string): string {
  return `When everything is done and verified, and not before, output the line <${tag}>${expected}</${tag}> on its own.`;
}

/** The tag was written, but not as a claim. */
export const mentionedNote =
  "The completion tag was mentioned but not claimed: output it on a line of its own when everything is done.";

/** Another promise than the expected one. */
export function wrongPromiseNote(found: string, expected: string): string {
  return `Wrong promise '${found}', expected '${expected}'.`;
}

/** A claim refused by `completion.requireProgress`. */
export const unchangedNote =
  "The claim was refused: nothing has changed since the run began (setting completion.requireProgress). Do the work first, then claim.";

/** What a refused claim is answered with. */
export function refusedNote(reason: string): string {
  return `The claim was refused: ${reason}`;
}

/** Why a claim is refused when the repository holds something else than the checks saw. */
export function unstableReason(paths: readonly string[]): string {
  const more = paths.length - pathsMax;
  const names = `${paths.slice(0, pathsMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `what is delivered is not what was checked, twice: ${names}. Let nothing write files during the checks, and hide none from git; what checks themselves write belongs into .gitignore.`;
}

/** Why a claim is refused when its commit failed, by a hook of the project for example. */
export function uncommittedReason(problem: string): string {
  return `what was checked could not be committed: ${problem}`;
}

/** Paths named in a sentence. */
const pathsMax = 5;

/** The completion tag while the task list still has open tasks (S4-15, R-105). */
export const earlyClaimNote = "The completion tag was claimed, but not every task of the list is approved: continue.";

/** What a red check's label says: words only, the gate stays. */
export const baselineBrokenNote =
  "baseline-broken: it failed before the first turn, too, and must be green to complete.";
export const regressedNote = "regressed: it passed before the first turn.";
