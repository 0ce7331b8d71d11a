import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { TurnReport } from "../../core/agents/turn-report.ts";

type ToolEvent = Extract<AgentEvent, { type: "tool-started" | "tool-ended" }>;

/** Counts the tools of a turn. A tool may end twice: some streams tell only at last that a failed one was denied. */
export function createToolTally(): { add(event: ToolEvent): void; counts(): TurnReport["tools"] } {
  const tools = new Map<string, { canChange: boolean; end: "open" | "done" | "error" | "denied" }>();

  return {
    add(event) {
      const known = tools.get(event.toolId);
      if (event.type === "tool-started") tools.set(event.toolId, { canChange: event.canChange, end: "open" });
      else tools.set(event.toolId, { canChange: known?.canChange ?? false, end: endOf(event) });
    },
    counts() {
      const all = [...tools.values()];
      return {
        calls: all.length,
        errors: all.filter(({ end }) => end === "error").length,
        denied: all.filter(({ end }) => end === "denied").length,
        changes: all.filter(({ end, canChange }) => canChange && end === "done").length,
      };
    },
  };
}

function endOf(event: Extract<AgentEvent, { type: "tool-ended" }>): "done" | "error" | "denied" {
  if (event.isDenied) return "denied";
  return event.isError ? "error" : "done";
}
