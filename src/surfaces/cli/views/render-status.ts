import { formatCount } from "../../../core/agents/format-spend.ts";
import { type Spend, totalTokens } from "../../../core/agents/spend.ts";
import { stopWords } from "../../../core/session/stops/native-stops.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { nextLine } from "../../../app/query/summary/next-command.ts";
import { isOver, type RunSummary, summaryWord } from "../../../app/query/summary/run-summary.ts";
import { stopsText } from "../../../app/query/summary/session-summary.ts";
import type { Standing } from "../../../app/query/summary/standing.ts";
import { cutToWidth, displayWidth } from "../terminal/display-width.ts";
import { ageText, untilText } from "./local-time.ts";

/** How the table is shown. `width` null: nothing is cut, as for a program that reads it. */
export type StatusStyle = { now: number; width: number | null; hasProjects: boolean; hasCommands: boolean };

type Row = { cells: string[]; details: string[] };

const heads = ["RUN", "STATE", "ITERATION", "COST", "AGE", "AGENT"];

/** The longest outcome is `completed, unverified`; with it the table fits into 80 columns. */
const stateWidthMax = 21;
const idWidthMax = 22;
const gap = "  ";

/** One row per run in columns, and below it what the run is about, what it waits for and what to type. */
export function renderStatus({ runs, sessions }: Standing, style: StatusStyle): string {
  const rows = [
    ...sessions.map((summary) => rowOf(summary, "", style)),
    ...runs.flatMap(({ summary, children }) => [
      rowOf(summary, "", style),
      ...children.map((child) => rowOf(child.summary, gap, { ...style, hasProjects: false, hasCommands: false })),
    ]),
  ];
  const widths = heads.map((head, column) =>
    Math.max(displayWidth(head), ...rows.map(({ cells }) => displayWidth(cells[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)))).join(gap);
  const lines = rows.flatMap(({ cells, details }) => [fitted(line(cells), style.width), ...details]);
  return `${[fitted(line(heads), style.width), ...lines].join("\n")}\n`;
}

function rowOf(summary: RunSummary, indent: string, style: StatusStyle): Row {
  const { id, iteration, maxIterations, spend, startedAt, agent, model } = summary;
  // A work run has no iterations of its own, and judged stops are none.
  const isCounted = !(summary.kind === "work" && summary.task === undefined) && summary.lastStop === undefined;
  const cells = [
    indent + (style.width === null ? id : shortId(id)),
    cutToWidth(cleanLine(stateWord(summary)), stateWidthMax),
    isCounted ? `${iteration}${maxIterations === null ? "" : `/${maxIterations}`}` : "-",
    // Only the host of a session knows what it costs.
    summary.kind === "session" ? "-" : costCell(spend),
    ageText(startedAt, style.now),
    cleanLine([agent ?? "none", model ?? ""].join(" ")),
  ];
  const before = indent + gap;
  const width = style.width === null ? null : style.width - before.length;
  return { cells, details: detailsOf(summary, { ...style, width }).map((text) => before + text) };
}

/** Of a session's run only the last part, by which every command finds it: the host's name for the session alone has 36 letters. */
function shortId(id: string): string {
  return id.length <= idWidthMax ? id : (/-([^-]{12,})$/.exec(id)?.[1] ?? id);
}

/** How it ended, that it waits, or what it does. */
function stateWord(summary: RunSummary): string {
  if (isOver(summary)) return summaryWord(summary);
  if (summary.state === "paused") return summary.state;
  return summary.waitingUntil === null ? (summary.activity ?? summary.state) : "waiting";
}

function costCell(spend: Spend): string {
  const mark = `${spend.isPartial === true ? ">" : ""}${spend.isEstimated === true ? "~" : ""}`;
  if (spend.usd !== null) return `${mark}$${spend.usd.toFixed(2)}`;
  const tokens = totalTokens(spend);
  return tokens === 0 ? "unknown" : `${formatCount(tokens)} tok`;
}

/** What is final needs no more than its name; a command is never cut. `width` is that behind the indent. */
function detailsOf(summary: RunSummary, { now, width, hasProjects, hasCommands }: StatusStyle): string[] {
  const { topic, task, role, lastStop, waitingFor, waitingUntil, lastChecks, reason, next, project } = summary;
  const isFinal = summary.outcome === "completed" || summary.outcome === "cancelled";
  const until = waitingUntil === null ? "" : `, until ${untilText(waitingUntil, now)}`;
  const texts = [
    task === undefined ? topic : `${role} of ${task}: ${topic}`,
    ...(lastStop === undefined ? [] : [`${stopsText(summary)}, last stop ${stopWords(lastStop)}`]),
    ...(hasProjects ? [`in ${project}`] : []),
    ...(isFinal || lastChecks === null ? [] : [lastChecks]),
    ...(waitingFor === null ? [] : [`waits for ${waitingFor}${until}`]),
    ...(isFinal || summary.state === "died" || reason === null ? [] : [reason]),
  ].filter((text) => text !== "");
  const isAtWork = summary.state === "running" && waitingUntil === null;
  return [
    ...texts.map((text) => fitted(cleanLine(text), width)),
    ...(next === null || !hasCommands || isFinal || isAtWork ? [] : [cleanLine(nextLine(next))]),
  ];
}

function fitted(text: string, width: number | null): string {
  return width === null ? text.trimEnd() : cutToWidth(text.trimEnd(), width);
}
