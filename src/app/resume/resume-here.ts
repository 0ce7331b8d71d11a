import type { Outcome } from "../../core/run/outcome.ts";
import { withVerified } from "../../core/work/open-work-state.ts";
import { outcomeOf } from "../../shell/drivers/outer-driver.ts";
import { resumeRun } from "../../shell/drivers/start-run.ts";
import { resumeWork, type WorkResume } from "../../shell/drivers/work/work-driver.ts";
import type { Machine } from "../../shell/machine.ts";
import { isDriven } from "../query/is-driven.ts";
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
  listener: Listener;
};

/** How a resume ended: a living run was told to continue, or a run was driven here to its outcome. */
export type ResumeEnd = { kind: "told" } | { kind: "driven"; outcome: Outcome };

/** Tells a living run to continue, or takes a dead or ended one and drives it in this process. */
export async function resumeHere(machine: Machine, { run, taskId }: Resumable, wish: ResumeWish): Promise<ResumeEnd> {
  const { answer, limits, consent, listener } = wish;
  const areEditsAccepted = await acceptEdits(machine, run, consent);
  if (await isDriven(machine, run)) {
    await askAndWait(machine, run.id, "go-on", (now) => !now.state.isPauseAsked);
    return { kind: "told" };
  }
  const change = policyChange(run, limits);
  if (run.frozen.work === undefined) {
    const order = { runId: run.id, answer, change, areEditsAccepted };
    const { state } = await listener.run(run, (connection) => resumeRun(machine, order, connection));
    return { kind: "driven", outcome: outcomeOf(state) };
  }
  const { iterationsMax: _, ...budgets } = change;
  const help = await workHelp(machine, run, { text: answer, taskId, more: limits.more });
  const order: WorkResume = { runId: run.id, help, change: budgets };
  const { outcome, state } = await listener.work(run, (connection) => resumeWork(machine, order, connection));
  return { kind: "driven", outcome: withVerified(outcome, state) };
}
