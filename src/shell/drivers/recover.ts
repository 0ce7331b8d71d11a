import { type Spend, subtractSpend } from "../../core/agents/spend.ts";
import type { RunState } from "../../core/engine/state.ts";
import type { Processes } from "../ports.ts";
import { keptTurn, type SpendPlace, spentBefore } from "./session-spend.ts";

/** What a dead driver may have left. */
export type Leftovers = { ended: number; survivors: number[] };

/** Ends every process of the effect that was in flight when the driver died. */
export async function endLeftovers(
  processes: Processes,
  run: { id: string; state: RunState },
  killGraceMs: number,
): Promise<Leftovers> {
  const { pending, turnProcess } = run.state;
  if (pending === null || pending.type === "set-timer") return { ended: 0, survivors: [] };
  return processes.endLeftovers(`${run.id}.${pending.id}`, turnProcess, killGraceMs);
}

/** What the lost turn had spent, found in its kept output; null when no turn was lost. */
export async function lostSpend(
  tools: Omit<SpendPlace, "runId">,
  run: { id: string; state: RunState },
): Promise<Spend | null> {
  const { pending, turnProcess } = run.state;
  if (pending?.type !== "begin-turn" || turnProcess === null) return null;
  const place = { ...tools, runId: run.id };
  const { total } = await keptTurn(place, pending.id);
  return subtractSpend(total, await spentBefore(place, { effectId: pending.id, sessionId: pending.sessionId }));
}
