import type { TurnReport } from "../agents/turn-report.ts";
import type { RunState } from "../run/state.ts";

/** Why another try is useless, with the remedy, or null. */
export function fatalReason(state: RunState, report: TurnReport): string | null {
  if (report.failure?.kind === "authentication") return `The agent could not sign in: ${report.failure.message}`;
  if (report.failure?.kind === "model") return `The agent does not know the model: ${report.failure.message}`;
  const { deniedChanges, changes } = report.tools;
  if (state.iteration !== 1 || deniedChanges === 0 || changes > 0 || report.isTreeChanged === true) return null;
  const remedy =
    report.deniedRemedy === null ? "allow edits in agent.flags" : `add ${report.deniedRemedy} to agent.flags`;
  return `Every edit of the first turn was denied (${deniedChanges}): ${remedy}.`;
}
