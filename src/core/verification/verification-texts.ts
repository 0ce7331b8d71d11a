/** What verification says, word for word as document 002 has it. For people and prompts: nothing ever searches it. */
export const promiseFound = "Promise found in output";

/** The promise was not claimed, or with `loose` not written. */
export function promiseMissing(promise: string): string {
  return `Promise '${promise}' not found in output`;
}

/** A command that was never given cannot verify anything. */
export const noCommand = "No command specified for external verification";

/** The command ended with another code than it should. */
export function wrongExitCode(found: number, expected: number): string {
  return `Command exited with ${found}, expected ${expected}`;
}

/** The output lacks what it must have. */
export function lacksText(text: string): string {
  return `Output doesn't contain: ${text}`;
}

/** The output has what it must not have. */
export function hasForbidden(text: string): string {
  return `Output contains forbidden: ${text}`;
}

/** The command took longer than it may. */
export function timedOut(timeoutMs: number): string {
  return `Command timed out after ${Math.round(timeoutMs) / 1000}s`;
}

/** The command could not be run at all. */
export function couldNotRun(why: string): string {
  return `Command failed: ${why}`;
}

/** A command did everything it should. */
export const externalPassed = "External verification passed";

/** Something stands where it must not. */
export function negativeFound(pattern: string): string {
  return `Found negative pattern: ${pattern}`;
}

/** Without a model: a criterion does not stand in the output. */
export function notEvident(criterion: string): string {
  return `Criterion not evident: ${criterion}`;
}

/** Without a model: every criterion stands in the output. */
export const allAppearMet = "All criteria appear met";

/** A method that nobody knows verifies nothing. */
export function unknownMethod(method: string): string {
  return `Unknown verification method: ${method}`;
}

/** Every gate is green. */
export const completionVerified = "Completion verified";

/** Every gate is green, but none of them looked at more than the claim. Not of the document. */
export const completionBelieved = "Completion claimed; nothing but the agent's word was asked for";

/** The claim of the last iteration was refused. */
export function exhaustedAfter(reason: string): string {
  return `Max iterations reached. Last verification: ${reason}`;
}

/** The last iteration claimed nothing. */
export const exhaustedUnclaimed = "Max iterations reached without completion promise";

/** A claim was refused, and the loop goes on. */
export function verificationFailed(reason: string): string {
  return `Verification failed: ${reason}`;
}

/** Another text was promised than the criterion's own (CW-2B). */
export function wrongPromiseText(foundText: string, expected: string): string {
  return `Wrong promise '${foundText}', expected '${expected}'`;
}

/** Nothing was claimed, and the loop goes on. */
export const noPromise = "No completion promise found";
