import { type WholeTask, wholeTaskJson } from "../../../app/query/whole-task.ts";
import { cleanText } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { renderRun } from "./render-run.ts";
import { renderTask } from "./render-task.ts";

/** A task with its criteria, and every verdict of its roles with the evidence. */
export function renderWholeTask(whole: WholeTask, { isJson, now }: { isJson: boolean; now: number }): string {
  if (isJson) return jsonResult(wholeTaskJson(whole));
  const { task, tasks, runs, terms } = whole;
  const problem = terms.problem === null ? [] : [`${terms.problem}\n`];
  return cleanText(
    [renderTask({ task, tasks, settings: terms.settings }), ...problem, ...runs.map((run) => renderRun(run, now))].join(
      "\n",
    ),
  );
}
