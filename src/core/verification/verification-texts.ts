/** The fixed sentences of verification, for people and prompts: no code searches them. */
export const promiseFound = "Promise found in output";

/** The promise was not claimed, or with `loose` not written. */
export function promiseMissing(promise: string): string {
  return `Promise '${promise}' not found in output`;
}

/** A command that was never given cannot verify anything. */
export const noCommand = "No command specified for external verification";

/** The command ended with an unexpected exit code. */
export function wrongExitCode(found: number, expected: number): string {
  return `Command exited with ${found}, expected ${expected}`;
}

/** The output lacks a required text. */
export function lacksText(text: string): string {
  return `Output doesn't contain: ${text}`;
}

/** The output contains a forbidden text. */
export function hasForbidden(text: string): string {
  return `Output contains forbidden: ${text}`;
}

/** The command exceeded its time limit. */
export function timedOut(timeoutMs: number): string {
  return `Command timed out after ${Math.round(timeoutMs) / 1000}s`;
}

/** The command could not be run at all. */
export function couldNotRun(why: string): string {
  return `Command failed: ${why}`;
}

/** The command met every condition. */
export const externalPassed = "External verification passed";

/** A negative pattern was found. */
export function negativeFound(pattern: string): string {
  return `Found negative pattern: ${pattern}`;
}

/** Without a model: the output does not contain a criterion. */
export function notEvident(criterion: string): string {
  return `Criterion not evident: ${criterion}`;
}

/** Without a model: the output contains every criterion. */
export const allAppearMet = "All criteria appear met";

/** An unknown method verifies nothing. */
export function unknownMethod(method: string): string {
  return `Unknown verification method: ${method}`;
}

/** Every gate is green. */
export const completionVerified = "Completion verified";

/** Every gate is green, but none of them checked more than the claim. */
export const completionBelieved = "Completion claimed; nothing but the agent's word was asked for";

/** The claim of the last iteration was refused. */
export function exhaustedAfter(reason: string): string {
  return `Max iterations reached. Last verification: ${reason}`;
}

/** The last iteration claimed nothing. */
export const exhaustedUnclaimed = "Max iterations reached without completion promise";

/** A claim was refused; the loop continues. */
export function verificationFailed(reason: string): string {
  return `Verification failed: ${reason}`;
}

/** The promise differs from the criterion's own (CW-2B). */
export function wrongPromiseText(foundText: string, expected: string): string {
  return `Wrong promise '${foundText}', expected '${expected}'`;
}

/** Nothing was claimed; the loop continues. */
export const noPromise = "No completion promise found";
