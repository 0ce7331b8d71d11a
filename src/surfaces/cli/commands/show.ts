import type { TextRef } from "../../../core/checks/verdict.ts";
import { foldEntry, emptyView, type RunView } from "../../../core/journal/run-view.ts";
import { verificationResults } from "../../../core/journal/verification-results.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { type Records, wireStore } from "../../../shell/wire-store.ts";
import { chooseRun } from "../choose-run.ts";
import type { Input } from "../command-tree.ts";
import { isDriven } from "../is-driven.ts";
import { isOn } from "../read-input.ts";
import { cleanText } from "../live/clean-text.ts";
import { renderRun } from "../render-run.ts";
import { type RunSummary, summarise } from "../run-summary.ts";

/** `ralph show`: one run with its evidence. */
export default async function show(input: Input): Promise<number> {
  const machine = await wireStore();
  const run = await chooseRun(machine, input, () => true, "There is no run");
  const view = await viewOf(machine, run);
  const summary = summarise(run, isDriven(machine, run));
  const text = isOn(input.options, "json")
    ? `${JSON.stringify(asJson(run, summary, view))}\n`
    : cleanText(renderRun(run, summary, view));
  process.stdout.write(text);
  await machine.store.close();
  return 0;
}

/** Entries read at a time; a long run has thousands. */
const pageSize = 1000;

async function viewOf(machine: Records, run: RunRecord): Promise<RunView> {
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

function asJson(run: RunRecord, summary: RunSummary, view: RunView): unknown {
  return {
    ...summary,
    startCommit: run.frozen.startCommit,
    prompt: run.frozen.prompt,
    notes: view.notes,
    ...(run.frozen.criterion === undefined
      ? {}
      : { criterion: run.frozen.criterion, verificationResults: verificationResults(view, run.state.policy) }),
    iterations: view.iterations.map(
      ({ number, startedAt, endedAt, report, guardrails, criteria, feedback, delivery, assignment, violations }) => ({
        number,
        ...(assignment === null ? {} : { role: assignment.role, task: assignment.taskId, violations }),
        startedAt: new Date(startedAt).toISOString(),
        endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
        turn: report,
        checks: [...guardrails, ...criteria],
        claim: report?.claims ?? null,
        feedback,
        delivery,
      }),
    ),
  };
}
