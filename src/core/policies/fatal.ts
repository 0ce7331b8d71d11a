import { totalTokens } from "../agents/spend.ts";
import { isFailedTurn, type TurnReport } from "../agents/turn-report.ts";
import type { RunState } from "../run/state.ts";

/** Why another try is useless, with the remedy, or null. */
export function fatalReason(state: RunState, report: TurnReport): string | null {
  if (report.failure?.kind === "authentication") return `The agent could not sign in: ${report.failure.message}`;
  if (report.failure?.kind === "model") return `The agent does not know the model: ${report.failure.message}`;
  if (isBudgetBlind(state, report))
    return "The agent told neither tokens nor cost, so the budget of the run cannot be kept. Limit it by time or iterations instead (--max-time, -m).";
  if (!areEditsDenied(state, report)) return null;
  const { deniedRemedy, tools } = report;
  const remedy = deniedRemedy === null ? "allow edits in agent.flags" : `add ${deniedRemedy} to agent.flags`;
  const what = tools.deniedChanges === 1 ? "An edit or command" : `${tools.deniedChanges} edits or commands`;
  return `${what} of the agent ${tools.deniedChanges === 1 ? "was" : "were"} denied and nothing has changed: ${remedy}. A resume keeps the flags of this run, so start a new one.`;
}

/** Whether an agent that was to tell what it uses printed something else, and a budget counts on it. */
function isBudgetBlind({ policy }: RunState, report: TurnReport): boolean {
  const hasBudget = policy.budgetUsd !== null || policy.budgetTokens !== null;
  const isTold = report.spend.usd !== null || totalTokens(report.spend) > 0;
  return hasBudget && !isTold && report.result === "none" && !report.isEmpty && !isFailedTurn(report);
}

/** A run that only a new one can continue, because flags and model are frozen: the agent may not edit, or knows no such model. */
export function needsNewRun(state: RunState): boolean {
  const isModelWrong = state.outcome?.name === "failed" && state.facts.report?.failure?.kind === "model";
  return isModelWrong || isEndedByDenial(state);
}

/** A run that only a new one with other flags can continue: the agent may not edit. */
export function isEndedByDenial(state: RunState): boolean {
  const { outcome, facts } = state;
  return outcome?.name === "failed" && facts.report !== null && areEditsDenied(state, facts.report);
}

/**
 * Whether the agent may not edit: something was denied, and nothing has changed since the run began. Where the trees were
 * compared, any turn may show it, and a command that only looked around is no change; elsewhere only a first turn without
 * any allowed tool does.
 */
function areEditsDenied(state: RunState, { tools, claims, isTreeChanged }: TurnReport): boolean {
  if (tools.deniedChanges === 0 || isTreeChanged === true || state.isAnythingChanged) return false;
  // What the agent says about its work is for the checks, and for people, to judge.
  if (claims.blocked !== null || claims.question !== null || claims.rejected !== null) return false;
  if (state.iteration === 1 && tools.changes === 0) return true;
  return isTreeChanged === false && !claims.isPromised && claims.response === null;
}
