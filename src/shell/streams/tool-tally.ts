import type { AgentEvent } from "../../core/agents/agent-event.ts";
import type { TurnReport } from "../../core/agents/turn-report.ts";
import { createRecentMap } from "./recent-map.ts";

type ToolEvent = Extract<AgentEvent, { type: "tool-started" | "tool-ended" }>;
type Tool = { name: string | null; canChange: boolean; end: "open" | "done" | "error" | "denied" };
type Counts = TurnReport["tools"];

/** Tools remembered one by one; older ones only count. A flood of tools must not fill the memory. */
const toolsKept = 10_000;

/** Counts the tools of a turn. A tool may end twice: some streams tell only at last that a failed one was denied. */
export function createToolTally(): { add(event: ToolEvent): void; counts(): Counts; deniedNames(): string[] } {
  let settled: Counts = { calls: 0, errors: 0, denied: 0, deniedChanges: 0, changes: 0 };
  const tools = createRecentMap<Tool>(toolsKept, (tool) => {
    settled = plus(settled, tool);
  });

  return {
    add(event) {
      const { name, toolId } = event;
      if (event.type === "tool-started") return tools.set(toolId, { name, canChange: event.canChange, end: "open" });
      const known = tools.get(toolId);
      tools.set(toolId, { name: known?.name ?? name, canChange: known?.canChange ?? false, end: endOf(event) });
    },
    counts: () => tools.values().reduce(plus, settled),
    /** Only of tools that can change files. */
    deniedNames: () =>
      tools.values().flatMap(({ name, canChange, end }) => (canChange && end === "denied" ? (name ?? []) : [])),
  };
}

function plus(counts: Counts, { canChange, end }: Tool): Counts {
  const one = (isCounted: boolean): number => (isCounted ? 1 : 0);
  return {
    calls: counts.calls + 1,
    errors: counts.errors + one(end === "error"),
    denied: counts.denied + one(end === "denied"),
    deniedChanges: counts.deniedChanges + one(end === "denied" && canChange),
    changes: counts.changes + one(end === "done" && canChange),
  };
}

function endOf(event: Extract<AgentEvent, { type: "tool-ended" }>): "done" | "error" | "denied" {
  if (event.isDenied) return "denied";
  return event.isError ? "error" : "done";
}
