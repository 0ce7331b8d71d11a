import { exitCodes } from "../../core/engine/outcome.ts";
import type { ConsoleSink } from "./console-sink.ts";

/** One JSON object a line on standard output: everything a person would see, and the facts behind it. */
export function createJsonSink(write: (line: string) => void): ConsoleSink {
  const print = (value: unknown): void => write(`${JSON.stringify(value)}\n`);
  return {
    agentEvent: (event, effectId) => print({ kind: "agent", effectId, event }),
    check: ({ command, verdict }) => print({ kind: "check", command, verdict }),
    entry(entry, state) {
      print(entry);
      if (entry.kind !== "step" || state.outcome === null || !entry.effects.some(({ type }) => type === "end-run"))
        return;
      const { name, reason } = state.outcome;
      print({
        kind: "outcome",
        outcome: name,
        reason,
        exitCode: exitCodes[name],
        iteration: state.iteration,
        spend: state.spend,
      });
    },
  };
}
