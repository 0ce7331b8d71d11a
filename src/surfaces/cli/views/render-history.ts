import type { LimitHistory } from "../../../app/tasks/limit-history.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";

/** What similar tasks needed, and the command that takes it over; nothing when every limit is that already. */
export function renderHistory(id: string, history: readonly LimitHistory[]): string {
  const other = history.filter(({ p90, limit }) => p90 !== limit);
  if (other.length === 0) return "";
  const flags = other.map(({ role, p90 }) => `--${role}-max-iterations ${p90}`).join(" ");
  return cleanLines([
    "Iterations that similar tasks of this project needed (a proposal, nothing is changed):",
    ...other.map(historyLine),
    `To take the p90 as the limit: ralph task edit ${id} ${flags}`,
  ]);
}

function historyLine({ role, runs, unfinished, median, p90, limit }: LimitHistory): string {
  const ended = unfinished === 0 ? "" : `, ${unfinished} more used up their limit`;
  return `  ${role}: median ${median}, p90 ${p90}, of ${runs} completed runs${ended}; the limit is ${limit}`;
}
