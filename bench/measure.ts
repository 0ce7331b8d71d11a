import type { Point } from "./plot.ts";

/** One line of the result: what ralph needed, what the plain thing needed, and how the two shall compare. */
export type Measure = {
  name: string;
  ours: string;
  plain: string;
  value: number;
  /** `value` is a ratio unless a unit is named; empty: a count. */
  unit: "×" | "MB" | "";
  target: { atMost: number } | { atLeast: number } | null;
  /** What it adds to growth curves. */
  points?: Point[];
};

/** The middle value: one disturbed round does not move it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Whether the target is reached; true where there is none. */
export function isReached({ value, target }: Pick<Measure, "value" | "target">): boolean {
  if (target === null) return true;
  return "atMost" in target ? value <= target.atMost : value >= target.atLeast;
}

/** A Markdown table, so that it can be pasted into the README. */
export function formatTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => [
    measure.name,
    measure.ours,
    measure.plain,
    formatValue(measure.value, measure.unit),
    formatTarget(measure),
    verdictOf(measure),
  ]);
  return pad([["measure", "ralph", "plain", "result", "target", ""], ...rows]);
}

/** Rows as a Markdown table; the first one is its head. */
export function pad(all: readonly (readonly string[])[]): string {
  const widths = (all[0] ?? []).map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = all;
  return line(head) + line(widths.map((width) => "-".repeat(width))) + body.map(line).join("");
}

function formatValue(value: number, unit: Measure["unit"]): string {
  if (unit === "") return value.toFixed(1);
  return unit === "×" ? `${value.toFixed(2)} ×` : `${value.toFixed(0)} ${unit}`;
}

function formatTarget({ target, unit }: Measure): string {
  if (target === null) return "";
  return "atMost" in target ? `at most ${target.atMost} ${unit}`.trim() : `at least ${target.atLeast} ${unit}`.trim();
}

function verdictOf(measure: Measure): string {
  if (measure.target === null) return "";
  return isReached(measure) ? "ok" : "falls short";
}
