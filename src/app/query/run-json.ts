import type { IterationView } from "../../core/journal/run-view.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import { type VerificationResult, verificationResults } from "../../core/journal/verification-results.ts";
import { evidenceOf, type WholeRun } from "./whole-run.ts";

/** A run with its iterations, for programs. */
export function runJson(whole: WholeRun): Record<string, unknown> {
  const { run, view, folder } = whole;
  return {
    ...runFactsJson(whole, verificationResults(view, run.state.policy)),
    iterations: view.iterations.map((iteration) => iterationJson(iteration, folder)),
  };
}

/** The same without the iterations. `results` are shown where the run has a criterion. */
export function runFactsJson(
  { run, summary, view, traces }: WholeRun,
  results: VerificationResult[],
): Record<string, unknown> {
  return {
    ...summary,
    startCommit: run.frozen.startCommit,
    prompt: run.frozen.prompt,
    usedMs: run.state.usedMs,
    limitWaitMs: view.limitMs,
    ...traces,
    contract: { ...run.state.policy.contract, claimBy: run.state.policy.claimBy, gates: run.state.policy.gates },
    notes: view.notes,
    ...(run.frozen.criterion === undefined ? {} : { criterion: run.frozen.criterion, verificationResults: results }),
  };
}

/** One iteration of a run, for programs. */
export function iterationJson(iteration: IterationView, folder: string): Record<string, unknown> {
  const { number, startedAt, endedAt, report, guardrails, criteria, feedback, delivery, assignment } = iteration;
  return {
    number,
    ...(assignment === null
      ? {}
      : { role: assignment.role, task: assignment.taskId, violations: iteration.violations }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    turn: report,
    checks: [...guardrails, ...criteria].map((verdict) => checkJson(verdict, folder)),
    claim: report?.claims ?? null,
    feedback,
    delivery,
  };
}

/** A verdict with whole paths of its evidence, so that a program finds it from any directory. */
function checkJson(verdict: Verdict, folder: string): Verdict {
  const stages = verdict.stages?.map((stage) => ({ ...stage, evidence: evidenceOf(stage, folder) }));
  return { ...verdict, evidence: evidenceOf(verdict, folder), ...(stages === undefined ? {} : { stages }) };
}
