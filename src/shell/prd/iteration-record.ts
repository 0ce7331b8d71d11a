import { join } from "node:path";
import { describeTurnEnd } from "../../core/agents/turn-report.ts";
import type { SettledTurn } from "../../core/prd/settle-turn.ts";
import type { Assignment } from "../../core/contract/assignment.ts";
import type { PrdWork } from "./prd-work.ts";

/** Adds a line on the iteration to `.ralph/summary.csv`. Must not reject: the journal has all of it, too. */
export async function recordIteration(
  work: PrdWork,
  { iteration, assignment, settled }: { iteration: number; assignment: Assignment | null; settled: SettledTurn },
): Promise<void> {
  const { context, seen } = work;
  const { role, taskId } = assignment ?? { role: "", taskId: "" };
  if (seen.report?.isSkipped === true) return;
  const task = settled.file.tasks.find(({ id }) => id === taskId);
  const fields = [
    new Date(context.clock.now()).toISOString(),
    context.runId,
    iteration,
    role,
    taskId,
    seen.report === null ? "lost" : describeTurnEnd({ ...seen.report, errorOutput: "" }),
    task?.reviewStatus ?? "",
    task?.passes ?? "",
    task?.reviewCount ?? "",
    settled.violations.length,
    seen.report?.spend.usd ?? "",
  ];
  try {
    append(work, `${fields.map(csvField).join(",")}\n`);
  } catch (error) {
    await context.note("warning", `.ralph/summary.csv could not be written: ${String(error)}`);
  }
}

const header = "time,run,iteration,role,story,turn,reviewStatus,passes,reviewCount,undone,usd\n";

function append({ files }: PrdWork, line: string): void {
  const path = join(files.projectDir, ".ralph", "summary.csv");
  files.disk.createOnce(path, header);
  const file = files.disk.open(path, "append");
  try {
    file?.append(new TextEncoder().encode(line));
  } finally {
    file?.close();
  }
}

/** A spreadsheet takes a leading `=` for a formula, and ids are an agent's words. */
function csvField(value: string | number | boolean): string {
  const text = String(value).replaceAll(/[\r\n]+/g, " ");
  const safe = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
