import { exitCodes } from "../../../core/run/outcome.ts";
import type { PolicyChange } from "../../../core/run/policy.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { resumeWork, type WorkResume } from "../../../shell/drivers/work/work-driver.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { sayEnd } from "./work.ts";
import { connect } from "../live/connect.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import type { Options } from "../input/read-input.ts";

/** What a person adds on resume; `taskId` when it is for one role's run. */
export type WorkAnswer = { text: string | null; taskId: string | null; more: number | null; change: PolicyChange };

/** Resumes a dead or ended work run in the foreground. */
export async function resumeWorkHere(
  machine: Machine,
  { run, options, given }: { run: RunRecord; options: Options; given: WorkAnswer },
): Promise<number> {
  const { settings, work } = run.frozen;
  if (run.outcome?.name === "exhausted" && given.more === null)
    throw new RalphError(
      "not-resumable",
      `Work ${run.id} has no task left to resume: ${run.outcome.reason}`,
      `Give its roles more iterations: ralph resume ${run.id} -m 5`,
    );
  const answer = given.text === null ? null : { text: given.text, taskId: await answeredTask(machine, run, given) };
  const display = displayOptions(options);
  const live = connect(settings, display);
  const connection = connectWork(live, { settings, display, jobs: work?.jobs ?? 1 });
  const order: WorkResume = { runId: run.id, help: { answer, more: given.more }, change: given.change };
  const end = await live.closeAfter(() => resumeWork(machine, order, connection));
  sayEnd(end, display.isJson);
  return exitCodes[end.outcome.name];
}

/** An answer belongs to one question: with several, the role's run must be named. */
async function answeredTask(machine: Machine, run: RunRecord, { taskId }: WorkAnswer): Promise<string | null> {
  if (taskId !== null) return taskId;
  const children = await machine.store.list({ directory: null, limit: null, parentId: run.id });
  const asking = children.filter(({ outcome, state }) => outcome?.name === "waiting" && !isRejection(state));
  const [first] = asking;
  if (asking.length <= 1) return first?.frozen.task?.id ?? null;
  const runs = asking.map(({ id, frozen }) => `${id} (${frozen.task?.id ?? ""})`).join(", ");
  throw new RalphError(
    "usage",
    `Several roles wait for an answer: ${runs}.`,
    "Name one: ralph resume RUN --answer TEXT",
  );
}

function isRejection({ policy, facts }: RunRecord["state"]): boolean {
  return policy.canReject && facts.report?.claims.rejected !== null;
}
