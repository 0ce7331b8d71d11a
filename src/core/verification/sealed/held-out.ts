/** A held-out check that ran. */
export type HeldOutEnd = { isPassed: boolean; hint: string | null };

/** What the agent hears of held-out checks that failed: their hints, and how many failed that have none. Never a name. */
export function heldOutReason(ends: readonly HeldOutEnd[]): string {
  const failed = ends.filter(({ isPassed }) => !isPassed);
  if (failed.length === 0) return "passed";
  const hints = [...new Set(failed.flatMap(({ hint }) => hint ?? []))];
  const silent = failed.filter(({ hint }) => hint === null).length;
  const what = silent === 1 ? "A held-out check" : "Held-out checks";
  const sentence = `${what} of the task's behaviour failed (${silent} of ${ends.length}).`;
  return [...hints, ...(silent === 0 ? [] : [sentence])].join(" ");
}

/** How often claims failed by held-out checks since a person last looked. */
export type HeldOutCount = { failed: number };

/** What becomes of the count with a claim, and whether a person has to look now. */
export type HeldOutStep = { count: HeldOutCount; isWaiting: boolean };

/**
 * Each refused claim tells the agent one bit about checks that it must not know, so that only `repeat` of them are answered. Then a
 * person looks; a resume grants as many again.
 */
export function countHeldOut(
  former: unknown,
  { isPassed, repeat }: { isPassed: boolean; repeat: number },
): HeldOutStep {
  const failed = countOf(former) + (isPassed ? 0 : 1);
  return failed >= repeat && !isPassed
    ? { count: { failed: 0 }, isWaiting: true }
    : { count: { failed }, isWaiting: false };
}

/** Why the run waits. */
export function heldOutWaitReason(repeat: number): string {
  const times = repeat === 1 ? "A claim was" : `${repeat} claims were`;
  return `${times} refused by held-out checks: each refusal tells the agent something about them.`;
}

/** The folder of a copy that holds the files of a held-out check. */
export const heldOutFolder = ".held-out";

/** Paths of a candidate that lie where the files of a check are put: they would run beside them. */
export function inHeldOutFolder(paths: Iterable<string>, directory: string): string[] {
  const prefix = directory === "" ? heldOutFolder : `${directory}/${heldOutFolder}`;
  return [...paths].filter((path) => path === prefix || path.startsWith(`${prefix}/`));
}

function countOf(slot: unknown): number {
  const failed = typeof slot === "object" && slot !== null && "failed" in slot ? slot.failed : 0;
  return typeof failed === "number" && failed >= 0 ? failed : 0;
}
