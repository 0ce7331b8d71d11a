import type { AgentEvent } from "../../../../core/agents/agent-event.ts";
import { formatDuration } from "../../../../core/text/duration.ts";
import { cleanLine, cleanText } from "../../../../core/text/clean-text.ts";
import { todoLines } from "./todo-lines.ts";
import { resultLines, type ShownTool } from "./tool-lines.ts";
import { finishLine, type ViewLine, type ViewStyle } from "./view-style.ts";

/** What the view remembers between two events. */
export type AgentView = {
  /** The text line that has no line break yet. */
  openLine: { messageId: string; isSub: boolean } | null;
  /** Running tools by id. Changed in place: copying it for every tool would cost more than all the rest. */
  tools: Map<string, ShownTool>;
  /** The tool of the last tool line: a result directly below it needs no name. */
  lastToolId: string | null;
  /** The todo list shown last; agents repeat themselves. */
  todos: string;
  /** Text of the main thread was shown in this turn. */
  hasText: boolean;
};

/** A view in which nothing is shown yet. An older state of a view must not be used again: its tools have changed. */
export function startAgentView(): AgentView {
  return { openLine: null, tools: new Map(), lastToolId: null, todos: "", hasText: false };
}

/** How many tools are remembered; beyond it only their names are lost. */
const toolsMax = 100;

/** Shows one event: the next view and the text to print, in whole lines except for an unfinished line of the agent. */
export function showAgentEvent(view: AgentView, event: AgentEvent, style: ViewStyle): [AgentView, string] {
  switch (event.type) {
    case "text":
      return showText(view, event, style);
    case "tool-started":
      return showTool(view, event, style);
    case "tool-ended":
      return showToolEnd(view, event, style);
    case "todo": {
      const todos = JSON.stringify(event.items);
      if (todos === view.todos || event.items.length === 0) return [view, ""];
      return showLines({ ...view, todos }, todoLines(event.items, style.marks), style);
    }
    case "retry":
      return showLines(view, [{ text: `${style.marks.retry} ${retryText(event)}`, format: "dim" }], style);
    case "notice": {
      const text = `${style.marks.notice} ${cleanLine(event.text)}`;
      return showLines(view, [{ text, isWhole: true, format: "dim" }], style);
    }
    case "result":
      return view.hasText || !event.isSuccess || event.text === null
        ? [view, ""]
        : showText(view, asText(event.text), style);
    case "thinking":
      return style.hasReasoning ? showLines(view, reasoningLines(event, style), style) : [view, ""];
    case "session":
    case "usage":
      return [view, ""];
  }
}

/** Ends an unfinished line, so that other output can follow. */
export function endAgentLine(view: AgentView): [AgentView, string] {
  return view.openLine === null ? [view, ""] : [{ ...view, openLine: null }, "\n"];
}

type TextEvent = Extract<AgentEvent, { type: "text" }>;

/** Text and tools of sub-agents are indented further. */
const subIndent = "    ";

function showText(view: AgentView, event: TextEvent, { paint, textMark }: ViewStyle): [AgentView, string] {
  const { messageId, isSub } = event;
  const isSameLine = view.openLine?.messageId === messageId && view.openLine.isSub === isSub;
  const [ended, lineEnd] = isSameLine ? [view, ""] : endAgentLine(view);
  const words = cleanText(event.text);
  if (words === "") return [ended, lineEnd];
  const openLine = words.endsWith("\n") ? null : { messageId, isSub };
  const next = { ...ended, openLine, hasText: view.hasText || !isSub };
  const margin = isSub ? subIndent : textMark;
  const text = (isSameLine ? "" : margin) + (margin === "" ? words : words.replaceAll(/\n(?!$)/g, `\n${margin}`));
  if (!isSub) return [next, lineEnd + text];
  const lines = text.split("\n");
  return [next, lineEnd + lines.map((line) => (line === "" ? "" : paint("dim", line))).join("\n")];
}

function showTool(
  view: AgentView,
  event: Extract<AgentEvent, { type: "tool-started" }>,
  style: ViewStyle,
): [AgentView, string] {
  const { toolId, isSub, isTodo = false } = event;
  const tool = { name: cleanLine(event.name), summary: cleanLine(event.summary), isSub, isTodo };
  rememberTool(view.tools, toolId, tool);
  // Its list is shown in its place.
  if (isTodo) return [view, ""];
  const text = `${style.marks.tool} ${tool.name}(${tool.summary})`;
  const line: ViewLine = { text: indented(text, isSub), format: "cyan" };
  return showLines({ ...view, lastToolId: toolId }, [line], style);
}

/** The oldest tool makes room. */
function rememberTool(tools: AgentView["tools"], toolId: string, tool: ShownTool): void {
  const [oldest] = tools.size >= toolsMax && !tools.has(toolId) ? tools.keys() : [];
  if (oldest !== undefined) tools.delete(oldest);
  tools.set(toolId, tool);
}

function showToolEnd(
  view: AgentView,
  event: Extract<AgentEvent, { type: "tool-ended" }>,
  style: ViewStyle,
): [AgentView, string] {
  const known = view.tools.get(event.toolId);
  const tool = known ?? { name: cleanLine(event.name ?? "tool"), summary: "", isSub: false, isTodo: false };
  view.tools.delete(event.toolId);
  if (tool.isTodo && !event.isError && !event.isDenied) return [view, ""];
  const isNear = view.lastToolId === event.toolId || tool.summary === "";
  const name = isNear ? tool.name : `${tool.name}(${tool.summary})`;
  const lines = resultLines(event, name, style);
  const shown = lines.map(({ text, format }) => ({ text: indented(text, tool.isSub), format }));
  return showLines(view, shown, style);
}

/** Indented below its mark: no line of it can be taken for another line of the view. */
function reasoningLines(
  { text, isSub }: Extract<AgentEvent, { type: "thinking" }>,
  { marks }: ViewStyle,
): readonly ViewLine[] {
  const words = cleanText(text).trim();
  if (words === "") return [];
  return words.split("\n").map((line, index) => ({
    text: indented(index === 0 ? `${marks.reasoning} ${line}` : `   ${line}`, isSub),
    isWhole: true,
    format: "dim",
  }));
}

function showLines(view: AgentView, lines: readonly ViewLine[], style: ViewStyle): [AgentView, string] {
  if (lines.length === 0) return [view, ""];
  const [ended, lineEnd] = endAgentLine(view);
  return [ended, lineEnd + lines.map((line) => `${finishLine(line, style)}\n`).join("")];
}

function indented(text: string, isSub: boolean): string {
  return isSub ? subIndent + text : text;
}

function retryText({ attempt, attemptsMax, delayMs, reason }: Extract<AgentEvent, { type: "retry" }>): string {
  const limit = attemptsMax === null ? "" : `/${attemptsMax}`;
  const delay = delayMs === null ? "" : ` in ${formatDuration(delayMs)}`;
  return `retry ${attempt}${limit}${delay}: ${cleanLine(reason)}`;
}

/** The text of a successful result is shown when there was no other text; the end of the turn says why it failed. */
function asText(text: string): TextEvent {
  return { type: "text", text, messageId: "result", isSub: false };
}
