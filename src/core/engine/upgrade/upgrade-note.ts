import type { Policy } from "../policy.ts";
import { type RunState, runStateVersion } from "../state.ts";

/** What the journal keeps of an upgrade: the state from which the entries after it fold on. */
export type UpgradeRecord = { from: number; to: number; state: RunState };

/** Says once, in the run's journal, that it goes on under a newer version and with which gates. */
export function upgradeNote(from: number, state: RunState): { text: string; upgraded: UpgradeRecord } {
  const gates = gateWords(state.policy);
  const kept = gates.length === 0 ? "it had no gates then and has none now" : `its gates stay: ${gates.join(", ")}`;
  return {
    text: `This run was stored by version ${from} and goes on as version ${runStateVersion}; ${kept} (origin: version ${from}).`,
    upgraded: { from, to: runStateVersion, state },
  };
}

function gateWords(policy: Policy): string[] {
  const { guardrailCount, criterionCount } = policy;
  return [
    ...(guardrailCount === 0 ? [] : [`${guardrailCount} ${guardrailCount === 1 ? "guardrail" : "guardrails"}`]),
    ...(criterionCount === 0 ? [] : [`${criterionCount} ${criterionCount === 1 ? "criterion" : "criteria"}`]),
    ...(policy.hasTasks ? ["the task list"] : []),
    ...(policy.hasChildren ? ["children gone"] : []),
  ];
}
