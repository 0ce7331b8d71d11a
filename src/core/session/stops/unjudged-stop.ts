import type { StopAnswer } from "./stop-counts.ts";

/** Why nobody can judge a stop, what people can do about it, and what is said when it is allowed all the same. */
export type Unjudged = { reason: string; remedy: string; allowed: string };

/**
 * A stop that nobody can judge is held back once with the reason, so that somebody hears of it; the next one is allowed and
 * named. `judged` is the answer of everything else that holds for the session. Null: something else blocks the stop, so people
 * hear of it later.
 */
export function heardAfter(isTold: boolean, judged: StopAnswer): "told" | "named" | null {
  if (judged.block !== undefined) return null;
  return isTold ? "named" : "told";
}

/** The answer that tells people so. */
export function answerUnjudged(
  { reason, remedy, allowed }: Unjudged,
  heard: "told" | "named",
  judged: StopAnswer,
): StopAnswer {
  if (heard === "told") return { ...judged, block: `${reason} Nobody verified this stop. ${remedy}` };
  const notices = [...(judged.notice === undefined ? [] : [judged.notice]), `${reason} ${allowed}`];
  return { ...judged, notice: notices.join(" ") };
}

/**
 * Whether people were told before, by counts that may not have been kept: then the host's word that it was sent back
 * before counts. `times` includes this stop.
 */
export function wasTold({ times, isKept, isContinued }: { times: number; isKept: boolean; isContinued: boolean }) {
  return times > 1 || (!isKept && isContinued);
}

/** The state of a loop lies aside because it could not be used: nobody can tell which gates the loop had. */
export function brokenLoop(path: string): Unjudged {
  return {
    reason: `The state of this session's Ralph loop cannot be used; it is kept as ${path}.`,
    remedy: "If the work is done, stop again; to loop again, type /ralph with the task.",
    allowed: "The loop ended without verification.",
  };
}

/** The state of a loop is not where it was stored, and nobody can tell what became of it. */
export function lostLoop(path: string): Unjudged {
  return { ...brokenLoop(path), reason: `The state of this session's Ralph loop is gone from ${path}.` };
}

/** A loop whose state cannot be stored judges nothing. */
export function unwrittenLoop(fault: string): Unjudged {
  // The name of a temporary file differs each time, and equal faults must be told as such.
  const told = fault.replaceAll(/\.[^\s/']+\.tmp/g, "its temporary file").replace(/[.]?$/, ".");
  return {
    reason: `The state of this session's Ralph loop cannot be stored: ${told}`,
    remedy: "Remove what stands in its place, or tell the user; then stop again.",
    allowed: "The stop is allowed without verification.",
  };
}

/** The hook itself failed to judge the stop. */
export function failedHook(fault: string): Unjudged {
  return {
    reason: `Ralph's stop hook failed: ${fault.replace(/[.]?$/, ".")}`,
    remedy: "Tell the user; if the work is done, stop again.",
    allowed: "This stop is NOT verified.",
  };
}

/** Whether a stop that nobody judged is anybody's concern: without a loop and without checks there was nothing to judge. */
export function isConcerned({ hasLoop, hasChecks }: { hasLoop: boolean; hasChecks: boolean }): boolean {
  return hasLoop || hasChecks;
}
