import type { PolicyChange } from "../../core/run/policy.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { howToResume, moreIterations } from "../functions/own-functions.ts";
import type { RunRecord } from "../../shell/ports.ts";

/** What people give a run for its resume: `more` iterations; budgets replace the old ones. Null: as before. */
export type GivenLimits = {
  more: number | null;
  usd: number | null;
  tokens: number | null;
  timeMs: number | null;
};

/** How these limits change the policy of a run. Throws when it has used all iterations and gets none. */
export function policyChange(run: RunRecord, { more, usd, tokens, timeMs }: GivenLimits): PolicyChange {
  if (more === null && hasNoIterationLeft(run))
    throw new RalphError(
      "not-resumable",
      `Run ${run.id} has used all its iterations.`,
      `Give it more: ${howToResume(run, moreIterations)}`,
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
