import { openDependencies } from "../../../core/tasks/check-dependencies.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { Verification } from "../../../core/tasks/criteria/completion-spec.ts";
import type { Task } from "../../../core/tasks/task.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cutToWidth, displayWidth } from "../terminal/display-width.ts";
import { statusWidth } from "../terminal/status-width.ts";
import { wrapWords } from "../terminal/wrap-words.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { commandsOf, iterationsMax, type ShownTerms, taskJson, termsOf } from "../../../app/query/task-json.ts";
import { toldSettings } from "./told-settings.ts";

/** `ralph task list`: the highest priority first. */
export default async function list({ options }: Input): Promise<number> {
  const directory = projectDirOption(options);
  const machine = await wireStore();
  const tasks = await machine.store.listTasks(directory);
  await machine.store.close();
  const settings = await toldSettings(machine, directory);
  process.stdout.write(
    isOn(options, "json")
      ? jsonResult({ tasks: tasks.map((task) => taskJson(task, tasks, settings)) })
      : taskTable(tasks, { directory, settings, width: statusWidth() }),
  );
  return 0;
}

/** Where a table is shown and what it is about; a width of null cuts nothing. */
export type TableOptions = { directory: string; settings: Settings; width: number | null };

/**
 * A line for each task, and one for each role it goes through: method, limit and command. Where the titles do not fit,
 * all of them have lines of their own.
 */
export function taskTable(tasks: readonly Task[], { directory, settings, width }: TableOptions): string {
  if (tasks.length === 0) return `No tasks in ${cleanLine(directory)} yet. Add some: ralph task import FILE\n`;
  const head = ["TASK", "STATUS", "ROLE", "ITERATIONS", "PRIORITY", "WAITS FOR", "TITLE"];
  const rows = [head, ...tasks.map((task) => rowOf(task, tasks, settings))];
  const roleRows = tasks.map((task) => askedTerms(task, settings).map(roleRow));
  const wholeLines = rows.map(inColumns(rows)).map((line) => [line]);
  const isWide = width === null || wholeLines.every(([line = ""]) => displayWidth(line) < width);
  const [title = [], ...taskLines] = isWide ? wholeLines : titlesBelow(rows, width);
  const roleLines = roleRows.map((each) => each.map(inColumns(roleRows.flat())).map((line) => fitted(line, width)));
  const lines = [...title, ...taskLines.flatMap((own, index) => [...own, ...(roleLines[index] ?? [])])];
  return lines.map((line) => `${line}\n`).join("");
}

function askedTerms(task: Task, settings: Settings): ShownTerms[] {
  return termsOf(task, settings).filter(({ isAsked }) => isAsked);
}

function roleRow({ role, criterion: { verification }, iterationsMax: limit }: ShownTerms): string[] {
  const judges = evidenceOf(verification).map((each) => cleanLine(each.trim().replaceAll(/\s+/g, " ")));
  return ["", role, verification.method, `max ${limit}`, judges.join("; ")];
}

/** What decides about a claim, in the order it is asked. */
function evidenceOf(verification: Verification): string[] {
  if (verification.method === "semantic") return ["a judge"];
  if (verification.method === "string_match") return ["the promise"];
  if (verification.method !== "multi_stage") return commandsOf(verification);
  return verification.stages.flatMap((stage) => evidenceOf(stage.verification));
}

/** A row as a line, each cell as wide as the widest of its column. */
function inColumns(rows: readonly string[][]): (row: readonly string[]) => string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))));
  return (row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
}

/** Rows whose last cell is below the others, broken between words. */
function titlesBelow(rows: readonly string[][], width: number): string[][] {
  const line = inColumns(rows.map((row) => row.slice(0, -1)));
  return rows.map((row) => [
    fitted(line(row.slice(0, -1)), width),
    ...wrapWords(`  ${row.at(-1) ?? ""}`, width - 1).map((part) => fitted(part, width)),
  ]);
}

/** A long command takes one line on a terminal; a pipe gets the whole. */
function fitted(line: string, width: number | null): string {
  return width === null ? line : cutToWidth(line, width - 1);
}

function rowOf(task: Task, tasks: readonly Task[], settings: Settings): string[] {
  const waitsFor = task.status === "ready" ? openDependencies(task, tasks) : [];
  return [
    cleanLine(task.id),
    task.status === "ready" && waitsFor.length > 0 ? "waiting" : task.status,
    task.progress?.role ?? "-",
    iterationsCell(task, iterationsMax(task, settings)),
    String(task.priority),
    waitsFor.length === 0 ? "-" : cleanLine(waitsFor.join(", ")),
    cleanLine(task.title) + (task.completion === null ? " (no completion criteria)" : ""),
  ];
}

/** The limit is that of one way through the roles; a task that was started again may have used more in all. */
function iterationsCell({ iteration }: Task, limit: number): string {
  return iteration > limit ? String(iteration) : `${iteration}/${limit}`;
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}
