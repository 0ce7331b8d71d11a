import type { RunView } from "../../core/journal/run-view.ts";
import { verificationResults } from "../../core/journal/verification-results.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { RunSummary } from "./run-summary.ts";

/** A run with its iterations, for programs (design §10). */
export function runJson(run: RunRecord, summary: RunSummary, view: RunView): Record<string, unknown> {
  return {
    ...summary,
    startCommit: run.frozen.startCommit,
    prompt: run.frozen.prompt,
    contract: { ...run.state.policy.contract, claimBy: run.state.policy.claimBy, gates: run.state.policy.gates },
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
