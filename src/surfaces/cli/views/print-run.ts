import { iterationJson, runFactsJson } from "../../../app/query/run-json.ts";
import type { PrintedRun } from "../../../app/query/whole-run.ts";
import { jsonResult, jsonText } from "../../../core/text/json-text.ts";
import { createIterationText, renderHead, renderTail } from "./render-run.ts";

/** The text of `renderRun` in parts, made while the journal is read. */
export async function* printRun(run: PrintedRun, now: number): AsyncGenerator<string> {
  yield renderHead(run, now);
  const text = createIterationText(run);
  for await (const page of run.readPages()) yield page.map(text).join("");
  yield renderTail(run);
}

/** The JSON of a run in parts: the same as that of `runJson`. */
export async function* printRunJson(run: PrintedRun): AsyncGenerator<string> {
  // The iterations are the last field: they stand before the bracket that ends the facts.
  yield `${jsonResult(runFactsJson(run, run.results)).slice(0, -"}\n".length)},"iterations":[`;
  let isFirst = true;
  for await (const page of run.readPages()) {
    if (page.length === 0) continue;
    const items = page.map((iteration) => jsonText(iterationJson(iteration, run.folder)));
    yield `${isFirst ? "" : ","}${items.join(",")}`;
    isFirst = false;
  }
  yield "]}\n";
}
