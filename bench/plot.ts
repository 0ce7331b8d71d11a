import type { Measure } from "./measure.ts";

/** One point of a growth curve: `x` is how much there was of something, `y` what that cost. */
export type Point = { curve: Curve; x: number; y: number };

/** What is drawn: `of` names the x axis, `unit` that of the cost. */
export type Curve = { title: string; of: string; unit: string };

/** Characters of the longest bar. */
const barChars = 40;

/** Growth curves as text: one bar per point, so that a flat cost has bars of one length and a linear one grows with its x. */
export function formatCurves(measures: readonly Measure[]): string {
  const byTitle = Map.groupBy(
    measures.flatMap(({ points = [] }) => points),
    ({ curve }) => curve.title,
  );
  return [...byTitle.values()].map(formatCurve).join("\n");
}

function formatCurve(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return "";
  const { title, of, unit } = first.curve;
  const sorted = points.toSorted((one, other) => one.x - other.x);
  const most = Math.max(...sorted.map(({ y }) => y));
  const names = sorted.map(({ x }) => `${formatNumber(x)} ${of}`);
  const width = Math.max(...names.map((name) => name.length));
  const rows = sorted.map(({ y }, index) => {
    const bar = "█".repeat(Math.max(1, Math.round((y / most) * barChars)));
    return `${(names[index] ?? "").padStart(width)}  ${bar} ${formatNumber(y)} ${unit}`;
  });
  return `${title}\n\n\`\`\`text\n${rows.join("\n")}\n\`\`\`\n`;
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
