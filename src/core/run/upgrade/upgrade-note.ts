import type { Policy } from "../policy.ts";
import { type RunState, runStateVersion } from "../state.ts";

/** What the journal keeps of an upgrade: the state from which the entries after it fold on. */
export type UpgradeRecord = { from: number; to: number; state: RunState };

/** Notes once in the journal that the run continues under a newer version, and with which gates. */
export function upgradeNote(from: number, state: RunState): { text: string; upgraded: UpgradeRecord } {
  const gates = gateWords(state.policy);
  const kept = gates.length === 0 ? "it had no gates then and has none now" : `its gates stay: ${gates.join(", ")}`;
  return {
    text: `This run was stored by version ${from} and continues as version ${runStateVersion}; ${kept} (origin: version ${from}).`,
    upgraded: { from, to: runStateVersion, state },
  };
}

/** Names in the note; more are counted. */
const namesMax = 10;

/** A check before the first turn is not a condition of done. */
function gateWords({ gates }: Policy): string[] {
  const names = gates.filter(({ when }) => when !== "before-first-turn").map(({ name }) => name);
  const more = names.length - namesMax;
  return [...names.slice(0, namesMax), ...(more > 0 ? [`${more} more`] : [])];
}
