import { iterationJson, runFactsJson } from "../../../app/query/run-json.ts";
import type { ShownDispute } from "../../../app/query/read-dispute.ts";
import type { PrintedRun } from "../../../app/query/whole-run.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult, jsonText } from "../../../core/text/json-text.ts";
import { createIterationText, renderHead, renderTail } from "./render-run.ts";

/** The text of `renderRun` in parts, made while the journal is read. */
export async function* printRun(run: PrintedRun, now: number): AsyncGenerator<string> {
  yield renderHead(run, now);
  const text = createIterationText(run);
  for await (const page of run.readPages()) yield page.map(text).join("");
  if (run.dispute !== undefined) yield renderDispute(run.dispute, run.run.id);
  yield renderTail(run);
}

/** What a person has to decide, with the difference, and how. */
function renderDispute({ files, names, times, difference }: ShownDispute, runId: string): string {
  return cleanLines([
    "",
    `In dispute (refused ${times === 1 ? "once" : `${times} times`}): ${names}`,
    ...difference
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`),
    `Accept ${files.length === 1 ? "it" : "them"} with: ralph resume ${runId} --accept-tests all`,
  ]);
}

/** The JSON of a run in parts: the same as that of `runJson`. */
export async function* printRunJson(run: PrintedRun): AsyncGenerator<string> {
  // The iterations are the last field: they stand before the bracket that ends the facts.
  const dispute = run.dispute === undefined ? {} : { dispute: run.dispute };
  yield `${jsonResult({ ...runFactsJson(run, run.results), ...dispute }).slice(0, -"}\n".length)},"iterations":[`;
  let isFirst = true;
  for await (const page of run.readPages()) {
    if (page.length === 0) continue;
    const items = page.map((iteration) => jsonText(iterationJson(iteration, run.folder)));
    yield `${isFirst ? "" : ","}${items.join(",")}`;
    isFirst = false;
  }
  yield "]}\n";
}
