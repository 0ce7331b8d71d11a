/** Texts an agent reads. Agents and users rely on the exact words; golden tests hold them. */

/** The first line of a prompt when the settings ask for the count (S1-40). */
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

/** A promise that differs from the expected one. */
export function wrongPromiseNote(found: string, expected: string): string {
  return `Wrong promise '${found}', expected '${expected}'.`;
}

/** A claim refused by `completion.requireProgress`. */
export const unchangedNote =
  "The claim was refused: nothing has changed since the run began (setting completion.requireProgress). Do the work first, then claim.";

/** The answer to a refused claim. */
export function refusedNote(reason: string): string {
  return `The claim was refused: ${reason}`;
}

/** Why a claim is refused when the repository differs from what the checks saw. */
export function unstableReason(paths: readonly string[]): string {
  const more = paths.length - pathsMax;
  const names = `${paths.slice(0, pathsMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `what is delivered is not what was checked, twice: ${names}. Let nothing write files during the checks, and hide none from git; what checks themselves write belongs into .gitignore.`;
}

/** Why a claim is refused when its commit failed, by a hook of the project for example. */
export function uncommittedReason(problem: string): string {
  return `what was checked could not be committed: ${problem}`;
}

/** How many paths a sentence names. */
const pathsMax = 5;

/** The completion tag while the task list still has open tasks (S4-15, R-105). */
export const earlyClaimNote = "The completion tag was claimed, but not every task of the list is approved: continue.";

/** The label of a red check: it changes words, not the gate. */
export const baselineBrokenNote =
  "baseline-broken: it failed before the first turn, too, and must be green to complete.";
export const regressedNote = "regressed: it passed before the first turn.";
