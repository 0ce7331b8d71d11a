import { refuseOwnRun } from "../../../app/requests/own-runs.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import type { PolicyChange } from "../../../core/run/policy.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { outcomeOf } from "../../../shell/drivers/outer-driver.ts";
import { resumeRun } from "../../../shell/drivers/start-run.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { readLineage } from "../../../shell/processes/lineage.ts";
import { wire } from "../../../shell/wire.ts";
import { askAndWait } from "../../../app/requests/ask-and-wait.ts";
import { chooseRun } from "../../../app/query/choose-run.ts";
import { isUnfinished } from "../../../app/query/runs-of.ts";
import { runName } from "../input/run-name.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { displayOptions } from "../live/display-options.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { acceptEdits } from "../input/accept-edits.ts";
import { resumeWorkHere } from "./resume-work.ts";
import { amountOption, countOption, durationOption, isOn, type Options, textOption } from "../input/read-input.ts";
import { importEnded } from "../input/import-ended.ts";

/** `ralph resume`: tells a living run to continue, or resumes a dead or ended one here in the foreground. */
export default async function resume(input: Input): Promise<number> {
  const { options } = input;
  const machine = await wire();
  await importEnded(machine);
  const chosen = await chooseRun(machine, runName(input), isUnfinished, "There is no unfinished run");
  const run = isDriven(machine, chosen) ? chosen : await workOf(machine, chosen);
  await refuseOwnRun({ ...machine, lineage: readLineage() }, run);
  if (run.kind === "session")
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is a loop of a session, and goes on only there.`,
      "Type /ralph with the task in that session.",
    );
  if (!isUnfinished(run))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is ${run.outcome?.name}; that is final.`,
      "Start a new one with `ralph run`.",
    );
  const areEditsAccepted = await acceptEdits(machine, run, isOn(options, "acceptEdits"));
  if (isDriven(machine, run)) {
    await askAndWait(machine, run.id, "go-on", (now) => !now.state.isPauseAsked);
    process.stderr.write(`Run ${run.id} continues.\n`);
    return 0;
  }
  const answer = textOption(options, "answer");
  const change = policyChange(run, options);
  if (run.frozen.work !== undefined) {
    const { iterationsMax: _, ...budgets } = change;
    const more = countOption(options, "maximumIterations", "--maximum-iterations");
    const taskId = chosen.frozen.task?.id ?? null;
    const code = await resumeWorkHere(machine, {
      run,
      options,
      given: { text: answer, taskId, more, change: budgets },
    });
    await machine.store.close();
    return code;
  }
  const stream = options["streamAgentOutput"];
  const settings = { ...run.frozen.settings, ...(typeof stream === "boolean" ? { streamAgentOutput: stream } : {}) };
  const connection = connect(settings, displayOptions(options));
  const order = { runId: run.id, answer, change, areEditsAccepted };
  const { state } = await connection.closeAfter(() => resumeRun(machine, order, connection));
  await machine.store.close();
  return exitCodes[outcomeOf(state).name];
}

/** A role is resumed as part of its work run, which knows what the other roles used and did. */
async function workOf(machine: Machine, run: RunRecord): Promise<RunRecord> {
  const [parent] = run.parentId === null ? [] : await machine.store.find(run.parentId);
  if (parent === undefined) return run;
  if (isDriven(machine, parent))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} is part of work ${parent.id}, which is still running.`,
      `Wait for its end, then: ralph resume ${run.id}`,
    );
  return parent;
}

/** `-m N` gives N more iterations; budgets given here replace the old ones. */
function policyChange(run: RunRecord, options: Options): PolicyChange {
  const more = countOption(options, "maximumIterations", "--maximum-iterations");
  const usd = amountOption(options, "maxCost", "--max-cost");
  const tokens = countOption(options, "maxTokens", "--max-tokens");
  const timeMs = durationOption(options, "maxTime", "--max-time");
  if (more === null && hasNoIterationLeft(run))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} has used all its iterations.`,
      `Give it more: ralph resume ${run.id} -m 5`,
    );
  return {
    ...(more === null ? {} : { iterationsMax: run.state.iteration + more }),
    ...(usd === null ? {} : { budgetUsd: usd }),
    ...(tokens === null ? {} : { budgetTokens: tokens }),
    ...(timeMs === null ? {} : { budgetMs: timeMs }),
  };
}

/** The last iteration was used, and no part of it must be repeated. */
function hasNoIterationLeft({ state }: RunRecord): boolean {
  const { iterationsMax } = state.policy;
  return state.pending === null && iterationsMax !== null && state.iteration >= iterationsMax;
}
