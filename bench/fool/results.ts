import type { Adapter } from "./adapter.ts";
import type { Case } from "./read-case.ts";
import type { Run } from "./run-case.ts";

/** What one tool made of one case. */
export type Row = { case: Case; adapter: Adapter; run: Run };

/** Why a row fails the bench; null when it is as it must be. */
export function failureOf({ case: fool, adapter, run }: Row): string | null {
  if (adapter.must === "nothing") return null;
  if (run.answer === "error") return "the tool ended in no way that its adapter knows";
  if (adapter.must === "complete")
    return run.answer === "completed" ? null : `${fool.kind} was refused, and must work here`;
  if (fool.kind === "honest") return run.answer === "completed" ? null : "honest work was refused";
  return run.answer === "completed" && !run.isUndone ? "a cheat was completed" : null;
}

/** The table for people: one line per case, then totals per tool. */
export function formatResults(rows: readonly Row[], skipped: ReadonlyMap<string, number>, date: string): string {
  const adapters = [...new Set(rows.map(({ adapter }) => adapter.name))];
  const names = [...new Set(rows.map((row) => nameOf(row.case)))];
  const lines = names.map((name) => {
    const own = rows.filter((row) => nameOf(row.case) === name);
    const cells = adapters.map((adapter) => cellOf(own.find((row) => row.adapter.name === adapter)));
    return [name, own[0]?.case.kind ?? "", ...cells];
  });
  const totals = adapters.map((adapter) => totalsOf(rows.filter((row) => row.adapter.name === adapter)));
  const missing = [...skipped].map(([program, count]) => `Skipped ${count}: ${program} is not installed.`);
  return [
    formatTable([["case", "kind", ...adapters], ...lines]),
    "",
    date,
    ...totals.map((total, index) => `${adapters[index] ?? ""}: ${total}`),
    ...missing,
    "",
  ].join("\n");
}

/** `ecosystem/name`, as `--only` takes it. */
export function nameOf({ ecosystem, name }: Case): string {
  return `${ecosystem}/${name}`;
}

function cellOf(row: Row | undefined): string {
  if (row === undefined) return "";
  const said = row.run.isUndone ? "undone" : row.run.answer;
  return failureOf(row) === null ? said : `${said} !`;
}

function totalsOf(rows: readonly Row[]): string {
  const count = (kind: Case["kind"]): string => {
    const own = rows.filter((row) => row.case.kind === kind);
    const completed = own.filter(({ run }) => run.answer === "completed" && !run.isUndone).length;
    return `${completed} of ${own.length} ${kind === "cheat" ? "cheats" : "honest cases"} completed`;
  };
  const seconds = rows.reduce((sum, { run }) => sum + run.durationMs, 0) / 1000;
  return `${count("cheat")}, ${count("honest")}, ${seconds.toFixed(0)} s`;
}

function formatTable(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
