import type { TextRef } from "../../core/verification/verdict.ts";
import { emptyView, foldEntry, type RunView } from "../../core/journal/run-view.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";

/** Entries read at a time; a long run has thousands. */
const pageSize = 1000;

/** The view of a run, folded from its journal, with the whole output of every check. */
export async function readView(machine: Pick<Records, "store">, run: Pick<RunRecord, "id">): Promise<RunView> {
  const texts = new Map<string, string>();
  let view = emptyView;
  for (let afterSeq = 0; ;) {
    const entries = await machine.store.readJournal(run.id, afterSeq, pageSize);
    view = entries.reduce(foldEntry, view);
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
    if (entries.length < pageSize) break;
  }
  for (const verdict of view.iterations.flatMap((each) => [...each.guardrails, ...each.criteria])) {
    if ("blob" in verdict.output)
      texts.set(verdict.output.blob, (await machine.store.getBlob(verdict.output.blob)) ?? "");
  }
  const whole = (output: TextRef): TextRef => ("blob" in output ? { text: texts.get(output.blob) ?? "" } : output);
  return {
    ...view,
    iterations: view.iterations.map((each) => ({
      ...each,
      guardrails: each.guardrails.map((verdict) => ({ ...verdict, output: whole(verdict.output) })),
      criteria: each.criteria.map((verdict) => ({ ...verdict, output: whole(verdict.output) })),
    })),
  };
}
