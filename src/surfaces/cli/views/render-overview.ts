import type { Overview } from "../../../app/query/summary/overview.ts";
import { cleanLine, cleanLines } from "../../../core/text/clean-text.ts";
import { renderStatus, type StatusStyle } from "./render-status.ts";

/** Where things stand, for people who typed `ralph` and nothing else: settings, runs, and what to type. */
export function renderOverview(overview: Overview, style: StatusStyle): string {
  const { standing } = overview;
  const isAnyRun = standing.runs.length + standing.sessions.length > 0;
  return [
    cleanLines(factLines(overview)),
    isAnyRun ? `\n${renderStatus(standing, style)}` : "",
    `\n${commandLines(overview)}`,
  ].join("");
}

function factLines({ project, agent, model, checks, problems }: Overview): string[] {
  const isUsable = problems.length === 0;
  return [
    `ralph in ${project}`,
    ...problems.map((problem) => `  settings: ${problem}`),
    ...(isUsable ? [`  agent: ${agent ?? "none is configured"}${model === null ? "" : `, model ${model}`}`] : []),
    ...(isUsable ? [`  checks after every turn: ${checks.length === 0 ? "none" : checks.join(", ")}`] : []),
  ];
}

/** The commands below each other, so that the eye finds them. */
function commandLines({ next }: Overview): string {
  const width = Math.max(...next.map(({ words }) => words.length));
  return next.map(({ words, command }) => `${`${words}:`.padEnd(width + 1)}  ${cleanLine(command)}\n`).join("");
}
