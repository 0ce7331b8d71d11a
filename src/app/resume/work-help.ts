import { sealedGateId } from "../../core/contract/sealed.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { sealSlot } from "../../core/verification/sealed/judge-dispute.ts";
import type { WorkHelp } from "../../shell/drivers/work/work-driver.ts";
import { requireDisputed } from "../../shell/drivers/seal-run.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { howToResume, moreIterations } from "../functions/own-functions.ts";

/** What a person brings along when a work run is resumed; `taskId` when it is for one role's run. */
export type WorkAnswer = {
  text: string | null;
  taskId: string | null;
  more: number | null;
  /** Changed tests in dispute that become base: `all`, or paths. */
  acceptedTests: readonly string[];
};

/** The help for a work run: whose answer it is, and how many iterations more each role gets. Throws when it needs some. */
export async function workHelp(machine: Machine, run: RunRecord, given: WorkAnswer): Promise<WorkHelp> {
  const { text, more } = given;
  if (run.outcome?.name === "exhausted" && more === null)
    throw new RalphError(
      "not-resumable",
      `Work ${run.id} has no task left to resume: ${run.outcome.reason}`,
      `Give its roles more iterations: ${howToResume(run, moreIterations)}`,
    );
  const accepted = given.acceptedTests.length === 0 ? {} : { accepted: await acceptedIn(machine, run, given) };
  return {
    answer: text === null ? null : { text, taskId: await answeredTask(machine, run, given) },
    more,
    ...accepted,
  };
}

/** Changed tests belong to the one role whose run waits because of them; with several, its run must be named. */
async function acceptedIn(
  machine: Machine,
  run: RunRecord,
  { acceptedTests: names, taskId }: WorkAnswer,
): Promise<NonNullable<WorkHelp["accepted"]>> {
  const children = await machine.store.list({ directory: null, limit: null, parentId: run.id });
  const waiting = children.filter(({ outcome }) => outcome?.name === "waiting");
  const disputed = waiting.flatMap(({ id, frozen, state }) => {
    const dispute = sealSlot(state.slots[sealedGateId])?.dispute;
    const isMeant = taskId === null || frozen.task?.id === taskId;
    return dispute === undefined || !isMeant ? [] : [{ id, dispute, taskId: frozen.task?.id ?? "" }];
  });
  const [one] = disputed;
  if (one === undefined)
    throw new RalphError(
      "usage",
      `Run ${run.id} has no changed tests in dispute.`,
      "Resume it without --accept-tests.",
    );
  if (disputed.length > 1) {
    const runs = disputed.map((each) => `${each.id} (${each.taskId})`).join(", ");
    throw new RalphError(
      "usage",
      `Several roles wait with changed tests: ${runs}.`,
      "Name one: ralph resume RUN --accept-tests all",
    );
  }
  requireDisputed(one.dispute, names);
  return { taskId: one.taskId, names: [...names] };
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
