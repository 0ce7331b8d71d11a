import { RalphError } from "../../core/ralph-error.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import { withVerified } from "../../core/work/open-work-state.ts";
import { outcomeOf } from "../../shell/drivers/outer-driver.ts";
import { resumeRun } from "../../shell/drivers/start-run.ts";
import { resumeWork, type WorkResume } from "../../shell/drivers/work/work-driver.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { isDriven } from "../query/find/is-driven.ts";
import { askAndWait } from "../requests/ask-and-wait.ts";
import type { Listener } from "../requests/listener.ts";
import { acceptEdits, type EditsConsent } from "./accept-edits.ts";
import { type GivenLimits, policyChange } from "./policy-change.ts";
import type { Resumable } from "./resumable.ts";
import { workHelp } from "./work-help.ts";

/** What people bring along for a resume, and who listens while the run is driven here. */
export type ResumeWish = {
  answer: string | null;
  limits: GivenLimits;
  consent: EditsConsent;
  /** Changed tests and lock files in dispute that become base: `all`, or paths. */
  acceptedTests?: readonly string[];
  listener: Listener;
};

/** How a resume ended: a living run was told to continue, or a run was driven here to its outcome. */
export type ResumeEnd = { kind: "told" } | { kind: "driven"; outcome: Outcome };

/** Tells a living run to continue, or takes a dead or ended one and drives it in this process. */
export async function resumeHere(machine: Machine, { run, taskId }: Resumable, wish: ResumeWish): Promise<ResumeEnd> {
  const { answer, limits, consent, listener, acceptedTests = [] } = wish;
  const areEditsAccepted = await acceptEdits(machine, run, consent);
  if (await isDriven(machine, run)) {
    refuseLost(run, wish);
    await askAndWait(machine, run.id, "go-on", (now) => !now.state.isPauseAsked);
    return { kind: "told" };
  }
  const change = policyChange(run, limits);
  if (run.frozen.work === undefined) {
    const order = { runId: run.id, answer, change, areEditsAccepted, acceptedTests };
    const { state } = await listener.run(run, (connection) => resumeRun(machine, order, connection));
    return { kind: "driven", outcome: outcomeOf(state) };
  }
  const { iterationsMax: _, ...budgets } = change;
  const help = await workHelp(machine, run, { text: answer, taskId, more: limits.more, acceptedTests });
  const order: WorkResume = { runId: run.id, help, change: budgets };
  const { outcome, state } = await listener.work(run, (connection) => resumeWork(machine, order, connection));
  return { kind: "driven", outcome: withVerified(outcome, state) };
}

/** Limits and answers reach a run only when it is taken again: a living one would lose them without a word. */
function refuseLost({ id }: RunRecord, { answer, limits, acceptedTests = [] }: ResumeWish): void {
  const isAnyGiven =
    answer !== null || acceptedTests.length > 0 || Object.values(limits).some((limit) => limit !== null);
  if (!isAnyGiven) return;
  throw new RalphError(
    "not-resumable",
    `Run ${id} is still driven by its process: it takes no new limits and no answer.`,
    `Let it continue without them: ralph resume ${id}. To change them, end its process with Ctrl-C first.`,
  );
}
