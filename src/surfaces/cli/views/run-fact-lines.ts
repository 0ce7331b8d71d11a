import { formatTokens, formatUsd } from "../../../core/agents/format-spend.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { nextLine } from "../../../app/query/summary/next-command.ts";
import type { RunSummary } from "../../../app/query/summary/run-summary.ts";
import type { RunTraces } from "../../../app/query/run-traces.ts";
import type { WholeRun } from "../../../app/query/whole-run.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { localTime, untilText } from "./local-time.ts";

/** Lines of prompts and last words that are shown; the JSON form has all of them. */
const promptLinesMax = 5;
const lastWordsLinesMax = 10;
const uncommittedMax = 10;

/** What the run waits for, in words and local time. */
export function waitLines({ waitingFor, waitingUntil }: RunSummary, now: number): string[] {
  if (waitingFor === null) return [];
  return [`  waits for ${waitingFor}${waitingUntil === null ? "" : `, until ${untilText(waitingUntil, now)}`}`];
}

/** What the agent was asked. */
export function promptLines({ frozen: { prompt, work } }: RunRecord): string[] {
  if (work !== undefined) return [];
  if (prompt.kind === "file") return [`  prompt: the file ${prompt.path}`];
  const lines = prompt.text.trim().split("\n");
  const [first = "", ...others] = lines.slice(0, promptLinesMax);
  const left = lines.length - promptLinesMax;
  return [
    `  prompt: ${first}`,
    ...others.map((line) => `          ${line}`),
    ...(left > 0 ? [`          … ${left} more ${left === 1 ? "line" : "lines"}`] : []),
  ];
}

type FactsOfRun = Pick<WholeRun, "run" | "summary" | "view" | "traces">;

/** Agent, times, use, and the time lost to limits. */
export function factLines({ run, summary, view, traces }: FactsOfRun, now: number): string[] {
  const { iteration, maxIterations, spend, agent, startedAt, endedAt } = summary;
  const model = summary.model ?? traces?.toldModel ?? null;
  const limit = maxIterations === null ? "" : ` of ${maxIterations}`;
  const lostMs = view.limitMs + (view.limitSince === null ? 0 : Math.max(0, now - view.limitSince));
  const ended = endedAt === null ? "" : `, ended ${localTime(endedAt, now)}`;
  return [
    `  agent: ${agent ?? "none"}${model === null ? "" : `, model ${model}`}`,
    `  started ${localTime(startedAt, now)}${ended}, worked ${formatDuration(run.state.usedMs)}`,
    ...(lostMs === 0 ? [] : [`  lost to usage limits: ${formatDuration(lostMs)}`]),
    `  iteration ${iteration}${limit}, ${formatUsd(spend)}, tokens: ${formatTokens(spend)}`,
    ...(run.frozen.startCommit === null ? [] : [`  started at commit ${run.frozen.startCommit}`]),
  ];
}

/** What git has of its work, and the agent's last words. */
export function traceLines({ changes, lastWords }: Omit<RunTraces, "toldModel">): string[] {
  const { commits = [], diffstat = [], uncommitted = [] } = changes ?? {};
  const rest = uncommitted.length - uncommittedMax;
  return [
    ...(commits.length === 0 ? [] : ["  commits:"]),
    ...commits.map(({ id, subject }) => `    ${id} ${subject}`),
    ...(diffstat.length === 0 ? [] : ["  changed since the start:"]),
    ...diffstat.map((line) => `    ${line}`),
    ...(uncommitted.length === 0 ? [] : ["  not committed:"]),
    ...uncommitted.slice(0, uncommittedMax).map((path) => `    ${path}`),
    ...(rest > 0 ? [`    … ${rest} more`] : []),
    ...(lastWords === null ? [] : lastWordsLines(lastWords)),
  ];
}

/** The end of them: there an agent says what it did and what is left. */
function lastWordsLines(text: string): string[] {
  const lines = text.split("\n");
  const left = lines.length - lastWordsLinesMax;
  return [
    "  last words of the agent:",
    ...(left > 0 ? [`    | … ${left} more ${left === 1 ? "line" : "lines"} before`] : []),
    ...lines.slice(-lastWordsLinesMax).map((line) => `    | ${line}`),
  ];
}

/** The last line: what to type. */
export function nextLines({ next }: RunSummary): string[] {
  return next === null ? [] : ["", nextLine(next)];
}
