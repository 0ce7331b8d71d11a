import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import type { ConsoleSink } from "./console-sink.ts";
import { verdictWord } from "../../../core/verification/verdict-word.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { type StatusFacts, statusText } from "./lines/status-line.ts";
import type { Marks } from "../terminal/marks.ts";

export type StatusSink = ConsoleSink & {
  /** The status line for a terminal of this width; empty before the run begins and after it ended. */
  text: (width: number) => string;
};

/** Keeps the facts of the status line; `onChange` is called when one of them may have changed. */
export function createStatusSink(
  { marks, now }: { marks: Marks; now: () => number },
  onChange: () => void,
): StatusSink {
  let facts: StatusFacts | null = null;
  const change = (part: Partial<StatusFacts>): void => {
    if (facts === null) return;
    facts = { ...facts, ...part };
    onChange();
  };
  return {
    agentEvent(event) {
      const part = factsOf(event);
      if (part !== null) change(part);
    },
    check: ({ gate, verdict }) =>
      change(
        verdict === null
          ? { checking: gate.name }
          : { checking: null, lastCheck: { command: gate.name, word: verdictWord(verdict) } },
      ),
    entry(entry, state) {
      if (entry.kind === "note") return;
      const { turnSpend, agentDoes, checking, lastCheck } = facts ?? nothingKnown;
      const isOver = entry.observation.type === "turn-ended";
      const turn = isOver ? { turnSpend: null, agentDoes: null } : { turnSpend, agentDoes };
      facts = { state, at: entry.at, checking, lastCheck, ...turn };
      onChange();
    },
    text: (width) => (facts === null || facts.state.outcome !== null ? "" : statusText(facts, now(), { width, marks })),
  };
}

const nothingKnown = { turnSpend: null, agentDoes: null, checking: null, lastCheck: null };

function factsOf(event: AgentEvent): Partial<StatusFacts> | null {
  switch (event.type) {
    case "tool-started":
      return { agentDoes: event.isTodo === true ? null : `${cleanLine(event.name)}(${cleanLine(event.summary)})` };
    case "tool-ended":
    case "session":
      return { agentDoes: null };
    case "text":
      return { agentDoes: "agent writes" };
    case "thinking":
      return { agentDoes: "agent thinks" };
    case "retry":
      return { agentDoes: `retry ${event.attempt}: ${cleanLine(event.reason)}` };
    case "usage":
      return { turnSpend: event.spend };
    case "result":
      return event.spend === null ? null : { turnSpend: event.spend };
    case "todo":
    case "notice":
      return null;
  }
}
