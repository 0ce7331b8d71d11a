import { anyText, flag, type OptionRules, readOptions, required, withFields } from "../../../app/read-options.ts";
import type { RunView } from "../../../core/journal/run-view.ts";
import { summarise } from "../../../app/query/summary/run-summary.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { renderRun } from "./render-run.ts";

/**
 * A run to show: its record of the store, and the fold of its journal.
 *
 * @example
 * ```ts
 * import { formatRun, type ShownRun } from "ralph";
 *
 * const print = (shown: ShownRun): void => console.log(formatRun({ ...shown, isDriven: false }));
 * console.log(typeof print);
 * ```
 */
export type ShownRun = {
  run: RunRecord;
  view: RunView;
  /** The state folder: paths of evidence begin with it. */
  folder?: string;
  /** Whether a driver is at work on it; a run without an outcome is taken for one that is. */
  isDriven?: boolean;
};

/**
 * A run as `ralph show` prints it: the outcome first, then each iteration with its evidence.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, formatRun, runLoop, wire } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * let view = emptyView;
 * for await (const event of loop.events) if (event.kind === "entry") view = foldEntry(view, event.entry);
 * const { store } = await wire();
 * const [run] = await store.find(loop.id);
 * if (run !== undefined) console.log(formatRun({ run, view }));
 * await store.close();
 * ```
 */
export function formatRun(shown: ShownRun): string {
  const { run, view, folder = "", isDriven = run.outcome === null } = readOptions("formatRun", shown, rules);
  return renderRun({ run, view, folder, summary: summarise(run, isDriven) }, Date.now());
}

const rules: OptionRules<ShownRun> = {
  run: required(withFields("id", "frozen", "state")),
  view: required(withFields("iterations", "notes")),
  folder: anyText,
  isDriven: flag,
};
