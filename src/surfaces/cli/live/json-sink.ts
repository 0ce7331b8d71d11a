import { exitCodes } from "../../../core/run/outcome.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { ConsoleSink } from "./console-sink.ts";

/** Where JSON lines go. Agent events may be left out when the reader is too slow; nothing else is. */
export type JsonTarget = {
  write: (line: string) => void;
  offer: (line: string) => void;
  now: () => number;
  /** Fields of each line: the part of a work run it belongs to. */
  fields?: Readonly<Record<string, string | number>>;
};

/** One JSON object per line on standard output: everything a person would see, and the facts behind it. */
export function createJsonSink({ write, offer, now, fields = {} }: JsonTarget): ConsoleSink {
  const line = (value: object): string => jsonResult({ ...fields, ...value });
  return {
    agentEvent: (event, effectId) => offer(line({ kind: "agent", at: now(), effectId, event })),
    check: ({ gate, verdict }) => write(line({ kind: "check", at: now(), command: gate.name, verdict })),
    entry(entry, state) {
      write(line(entry));
      if (entry.kind !== "step" || state.outcome === null || !entry.effects.some(({ type }) => type === "end-run"))
        return;
      const { name, reason, isVerified } = state.outcome;
      const outcome = {
        kind: "outcome",
        outcome: name,
        ...(isVerified === undefined ? {} : { isVerified }),
        reason,
        exitCode: exitCodes[name],
        iteration: state.iteration,
        spend: state.spend,
      };
      write(line(outcome));
    },
  };
}
