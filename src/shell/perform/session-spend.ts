import { noSpend, type Spend, totalTokens } from "../../core/agents/spend.ts";
import { createTurnReader, type TurnReading } from "../streams/turn-reader.ts";
import type { Artefact } from "../ports.ts";
import type { RunContext } from "../run-context.ts";

/** Where the output of a run's turns is kept, and who can read it. */
export type SpendContext = Pick<RunContext, "runId" | "artefacts" | "adapter" | "flags"> & Pick<TurnReading, "priceOf">;

/**
 * What a continued session had cost before a turn, for agents whose totals cover the whole session: the last total that
 * an earlier turn of the run told for it. Kept streams are the memory, so a restart of ralph forgets nothing.
 */
export async function spentBefore(
  context: SpendContext,
  turn: { effectId: number; sessionId: string | null },
): Promise<Spend> {
  if (turn.sessionId === null || context.adapter.spendCovers === "process") return noSpend;
  for (let effectId = turn.effectId - 1; effectId > 0; effectId -= 1) {
    const { sessionId, total } = await keptTurn(context, effectId);
    if (sessionId === turn.sessionId && totalTokens(total) > 0) return total;
  }
  return noSpend;
}

/** The total that a turn's agent wrote into its usage file, or null. */
export async function usageTotal(context: SpendContext, effectId: number): Promise<Spend | null> {
  const { readUsage } = context.adapter;
  if (readUsage === null) return null;
  const text = await context.artefacts.read(usageOf(context, effectId)).catch(() => null);
  return text === null ? null : readUsage(text);
}

/** What a turn's agent writes of its own use. */
export function usageOf({ runId }: Pick<SpendContext, "runId">, effectId: number): Artefact {
  return { runId, kind: "usage", name: String(effectId) };
}

/** What a turn told, found in its kept output. */
export async function keptTurn(
  context: SpendContext,
  effectId: number,
): Promise<{ sessionId: string | null; total: Spend }> {
  const { adapter, flags, artefacts, runId } = context;
  const reader = createTurnReader({
    adapter,
    flags,
    prompt: "",
    expected: "",
    placement: "own-line",
    signals: [],
    ...(context.priceOf === undefined ? {} : { priceOf: context.priceOf }),
    onEvent: () => {},
  });
  try {
    const stream: Artefact = { runId, kind: "stream", name: String(effectId) };
    for await (const chunk of artefacts.readLog(stream)) reader.push(chunk);
  } catch {
    // A stream that cannot be read, for example a pipe in its place, must not keep a run from being resumed or cancelled.
  }
  const { sessionId, spend } = reader.end();
  return { sessionId, total: (await usageTotal(context, effectId)) ?? spend };
}
