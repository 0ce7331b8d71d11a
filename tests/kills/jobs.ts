import { killAndResume, runUndisturbed, signalAndResume, type Undisturbed, type Verdict } from "./driven-run.ts";
import { type DrivenKind, drivenKinds } from "./kinds.ts";
import { killHooks, runUndisturbedSession } from "./session-run.ts";

/** What is struck and how: each kind of run by SIGKILL, and runs of all kinds by a signal that can be heard. */
export const jobKinds = [...drivenKinds, "session", "signal"] as const;
export type JobKind = (typeof jobKinds)[number];

/** Strikes one run, by its seed. */
export type Job = (seed: number) => Promise<Verdict>;

/** Measures undisturbed runs of a kind, as many at once as will be struck at once, and gives back how to strike one. */
export async function prepareJob(kind: JobKind, atOnce: number): Promise<Job> {
  if (kind === "session") {
    const undisturbed = await measure(runUndisturbedSession, atOnce);
    return (seed) => killHooks({ seed, undisturbed });
  }
  if (kind !== "signal") {
    const undisturbed = await measure(() => runUndisturbed(kind), atOnce);
    return (seed) => killAndResume({ kind, seed, undisturbed });
  }
  const measured = new Map<DrivenKind, Undisturbed>();
  for (const each of drivenKinds) measured.set(each, await measure(() => runUndisturbed(each), atOnce));
  return (seed) => {
    const driven = drivenKinds[seed % drivenKinds.length] ?? "run";
    const undisturbed = measured.get(driven);
    if (undisturbed === undefined) throw new Error(`${driven} was not measured`);
    return signalAndResume({ kind: driven, seed, undisturbed });
  };
}

/** The slowest counts. */
async function measure(run: () => Promise<Undisturbed>, atOnce: number): Promise<Undisturbed> {
  const runs = await Promise.all(Array.from({ length: atOnce }, run));
  return runs.reduce((slowest, each) => (each.lengthMs > slowest.lengthMs ? each : slowest));
}
