import { join } from "node:path";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { IterationView, RunView } from "../../core/journal/run-view.ts";
import { type VerificationResult, verificationResults } from "../../core/journal/verification-results.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { isDriven } from "./find/is-driven.ts";
import { readDispute, type ShownDispute } from "./read-dispute.ts";
import { readEnd, readIterations, readView } from "./read-view.ts";
import type { RunTraces } from "./run-traces.ts";
import { type RunSummary, summarise } from "./summary/run-summary.ts";

/** A run with what is shown of it. `folder` is the state folder, where the evidence lies; `traces` where one run is shown. */
export type WholeRun = { run: RunRecord; summary: RunSummary; view: RunView; folder: string; traces?: RunTraces };

/** A run with all that is shown of it. */
export async function wholeRun(machine: Records, run: RunRecord): Promise<WholeRun> {
  const summary = summarise(run, await isDriven(machine, run));
  return { run, summary, view: await readView(machine, run), folder: machine.folder };
}

/**
 * A run to print. Its view has no iterations: it may have more of them than fit into memory, so `readPages` reads them
 * while they are printed. `results` is the record of its verification.
 */
export type PrintedRun = Required<WholeRun> & {
  results: VerificationResult[];
  /** What only a person can decide; absent: nothing. */
  dispute?: ShownDispute;
  readPages: () => AsyncGenerator<IterationView[]>;
};

/** A run with the traces it left, to print. Loads what starts git. */
export async function printedRun(machine: Records, run: RunRecord): Promise<PrintedRun> {
  const { runTraces } = await import("./run-traces.ts");
  const summary = summarise(run, await isDriven(machine, run));
  const results: VerificationResult[] = [];
  let delivered: string | null = null;
  const { lastSeq, ...view } = await readEnd(machine, run, (iteration) => {
    delivered = iteration.delivery?.commit ?? delivered;
    if (run.frozen.criterion === undefined) return;
    results.push(...verificationResults({ iterations: [iteration] }, run.state.policy));
  });
  const traces = await runTraces(machine, run, delivered);
  const readPages = (): AsyncGenerator<IterationView[]> => readIterations(machine, run, lastSeq);
  const dispute = await readDispute(machine, run);
  const shown = { run, summary, view, folder: machine.folder, traces, results, readPages };
  return dispute === null ? shown : { ...shown, dispute };
}

/** The whole path. Never that of the copy in the work tree, which an agent or a later run may have rewritten. */
export function evidenceOf({ evidence = null }: Pick<Verdict, "evidence">, folder: string): string | null {
  return evidence === null ? null : join(folder, evidence);
}
