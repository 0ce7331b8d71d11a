import { verdictsOf } from "../../../core/policies/gates.ts";
import { reproduceCommand } from "../../../core/verification/sealed/step-titles.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import type { NextCommand } from "./next-command.ts";

/** How a person sees the last refusal of a run that is over again; null: nothing sealed refused its last claim. */
export function refusalCommand({ id, outcome, state }: RunRecord): NextCommand | null {
  if (outcome === null || outcome.name === "completed") return null;
  const [command] = verdictsOf(state).flatMap(({ verdict }) => reproduceCommand(verdict, id) ?? []);
  return command === undefined ? null : { words: "See the refusal again with", command };
}
