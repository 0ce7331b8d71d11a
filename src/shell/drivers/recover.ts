import type { Spend } from "../../core/agents/spend.ts";
import type { RunState } from "../../core/engine/state.ts";
import { createTurnReader } from "../agents/turn-reader.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import type { Disk, Processes } from "../ports.ts";
import { streamPath } from "../stores/stream-path.ts";

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

/** What the lost turn had spent, found in its raw stream; null when no turn was lost. */
export async function lostSpend(
  tools: { disk: Disk; adapter: AgentAdapter; flags: readonly string[]; folder: string },
  run: { id: string; state: RunState },
): Promise<Spend | null> {
  const { pending, turnProcess } = run.state;
  if (pending?.type !== "begin-turn" || turnProcess === null) return null;
  const reader = createTurnReader({
    adapter: tools.adapter,
    flags: tools.flags,
    prompt: "",
    expected: run.state.policy.completionText,
    placement: "own-sentence",
    signals: run.state.policy.signals,
    onEvent: () => {},
  });
  for await (const chunk of tools.disk.readLog(streamPath(tools.folder, run.id, pending.id))) reader.push(chunk);
  return reader.end().spend;
}
