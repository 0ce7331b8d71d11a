import type { RunView } from "../../../core/journal/run-view.ts";
import { summarise } from "../../../app/query/run-summary.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { renderRun } from "./render-run.ts";

/** A run to show: its record of the store, and the fold of its journal. */
export type ShownRun = {
  run: RunRecord;
  view: RunView;
  /** The state folder: paths of evidence begin with it. */
  folder?: string;
  /** Whether a driver is at work on it; a run without an outcome is taken for one that is. */
  isDriven?: boolean;
};

/** A run as `ralph show` prints it: the outcome first, then each iteration with its evidence. */
export function formatRun({ run, view, folder = "", isDriven = run.outcome === null }: ShownRun): string {
  return renderRun({ run, view, folder, summary: summarise(run, isDriven) });
}
