import { join } from "node:path";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { RunView } from "../../core/journal/run-view.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { isDriven } from "./is-driven.ts";
import { readView } from "./read-view.ts";
import { type RunSummary, summarise } from "./run-summary.ts";

/** A run with what is shown of it. `folder` is the state folder, where the evidence lies. */
export type WholeRun = { run: RunRecord; summary: RunSummary; view: RunView; folder: string };

/** A run with all that is shown of it. */
export async function wholeRun(machine: Records, run: RunRecord): Promise<WholeRun> {
  const summary = summarise(run, await isDriven(machine, run));
  return { run, summary, view: await readView(machine, run), folder: machine.folder };
}

/** The whole path. Never that of the copy in the work tree, which an agent or a later run may have rewritten. */
export function evidenceOf({ evidence = null }: Pick<Verdict, "evidence">, folder: string): string | null {
  return evidence === null ? null : join(folder, evidence);
}
