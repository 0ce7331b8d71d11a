import type { JournalNews, WorkStepNews } from "../core/journal/journal-entry.ts";
import { foldEntry as fold, type RunView } from "../core/journal/run-view.ts";
import { isObject } from "../core/text/is-object.ts";
import { requireOption, ruleOf, withFields } from "./read-options.ts";

/**
 * Adds one entry to the view; the whole view is `entries.reduce(foldEntry, emptyView)`.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, runLoop } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * let view = emptyView;
 * for await (const event of loop.events) if (event.kind === "entry") view = foldEntry(view, event.entry);
 * console.log(view.outcome?.name, view.iterations.length);
 * ```
 */
export function foldEntry(view: RunView, entry: JournalNews | WorkStepNews): RunView {
  requireOption("foldEntry", "view", { value: view, rule: aView });
  return fold(view, requireOption("foldEntry", "entry", { value: entry, rule: anEntry }));
}

const aView = withFields("notes", "iterations");

const anEntry = ruleOf("an entry of a journal: a note, or a step with its observation and effects", (value) => {
  if (!isObject(value)) return false;
  const { kind, observation, effects } = value;
  if (kind === "note") return true;
  return (kind === "step" || kind === "work-step") && isObject(observation) && Array.isArray(effects);
});
