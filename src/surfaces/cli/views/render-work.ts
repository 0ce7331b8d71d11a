import { formatTokens, formatUsd } from "../../../core/agents/format-spend.ts";
import { workContractLines } from "../../../core/contract/contract-lines.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { lastChecksText } from "../../../core/policies/last-checks.ts";
import { tipGates } from "../../../core/work/verify-tip.ts";
import { isOver, summaryWord } from "../../../app/query/summary/run-summary.ts";
import { localTime } from "./local-time.ts";
import { nextLines, waitLines } from "./run-fact-lines.ts";
import type { ShownRole, WholeWork } from "../../../app/query/whole-work.ts";

/** A work run for people: its state, then each task with its role runs. */
export function renderWork({ run, summary, view, tasks, roles }: WholeWork, now: number): string {
  const order = run.frozen.work;
  const doing = !isOver(summary) ? summary.activity : `${summaryWord(summary)}: ${summary.reason}`;
  return cleanLines([
    `Work ${run.id} in ${run.directory}`,
    `  ${doing}`,
    `  ${formatUsd(summary.spend)}, tokens: ${formatTokens(summary.spend)}, started ${localTime(summary.startedAt, now)}`,
    ...waitLines(summary, now),
    ...(run.frozen.startCommit === null ? [] : [`  started at commit ${run.frozen.startCommit}`]),
    ...workContractLines(tipGates(run.frozen.contract?.gates ?? [])).map((line) => `  ${line}`),
    ...view.notes.map((note) => `  note: ${note.text}`),
    ...(order?.tasks ?? []).flatMap(({ id, title }) => taskLines({ id, title }, tasks, roles)),
    ...nextLines(summary),
  ]);
}

function taskLines(
  { id, title }: { id: string; title: string },
  tasks: readonly Task[],
  children: readonly ShownRole[],
): string[] {
  const now = tasks.find((task) => task.id === id);
  const note = now?.progress?.note ?? "";
  return [
    "",
    `Task ${id}: ${title}`,
    `  ${now?.status ?? "removed"}${note === "" ? "" : ` (${note})`}; every verdict: ralph show ${id}`,
    ...children.filter(({ run }) => run.frozen.task?.id === id).map((child) => `  ${roleLine(child)}`),
  ];
}

function roleLine({ run, summary }: ShownRole): string {
  const { frozen, state } = run;
  const check = lastChecksText(state);
  const limit = summary.maxIterations === null ? "" : `/${summary.maxIterations}`;
  return [
    `${frozen.criterion?.role ?? "role"}, round ${frozen.task?.round ?? 1}`,
    `run ${run.id}`,
    `iteration ${summary.iteration}${limit}`,
    ...(check === null ? [] : [`last verification: ${check}`]),
    !isOver(summary) ? summary.state : `${summaryWord(summary)}: ${summary.reason}`,
  ].join("  ");
}
