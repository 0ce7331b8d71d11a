import { type WholeTask, wholeTaskJson } from "../../../app/query/whole-task.ts";
import { cleanText } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { renderRun } from "./render-run.ts";
import { renderTask } from "./render-task.ts";

/** A task with its criteria, and every verdict of its roles with the evidence. */
export function renderWholeTask(whole: WholeTask, isJson: boolean): string {
  if (isJson) return jsonLine(wholeTaskJson(whole));
  return cleanText([renderTask(whole.task, whole.tasks), ...whole.runs.map(renderRun)].join("\n"));
}
