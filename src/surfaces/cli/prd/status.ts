import { type ListOverview, listOverview } from "../../../app/prd/list-overview.ts";
import type { RoleChoice } from "../../../core/prd/choose-role.ts";
import type { ListedTask } from "../../../core/prd/list/task-file.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { wireFiles } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { countOption, isOn } from "../input/read-input.ts";
import { existingPrdContext } from "./prd-context.ts";

/** `ralph prd status`: the state of each story, the next turn, and an estimate of iterations. */
export default async function status({ options }: Input): Promise<number> {
  const flag = "--review-cap";
  const place = existingPrdContext(options);
  const cap = countOption(options, "reviewCap", flag);
  const overview = await listOverview(wireFiles(), {
    ...place,
    isReviewSkipped: isOn(options, "skipReview"),
    reviewCap: cap === null ? null : { cap, flag },
  });
  process.stdout.write(isOn(options, "json") ? jsonResult(overview) : asText(overview));
  return 0;
}

function asText(overview: ListOverview): string {
  const { project, branchName, tasks, next, estimate, reviews, problems, active } = overview;
  const width = Math.max(2, ...tasks.map(({ id }) => id.length));
  const stateWidth = Math.max(4, ...tasks.map((task) => stateOf(task).length));
  const done = tasks.length - estimate.openTasks;
  const name = project === "" ? branchName : `${project} (${branchName})`;
  const lines = [
    `${name}: ${done} of ${tasks.length} stories done`,
    ...tasks.map((task) => `  ${task.id.padEnd(width)}  ${stateOf(task).padEnd(stateWidth)}  ${task.title}`),
    `Next: ${nextText(next)}`,
    ...(estimate.openTasks === 0
      ? []
      : [`Estimate: ${estimate.sentence} (at least ${estimate.minimum}, at most ${estimate.worst})`]),
    ...(reviews.reviewedTasks === 0 ? [] : [`Reviews: ${reviews.reviews}. ${reviews.sentence}`]),
    ...problems.map((problem) => `Problem: ${problem}`),
    ...(active === null ? [] : [`A run is active: ${active}.`]),
  ];
  return lines.map((line) => `${cleanLine(line)}\n`).join("");
}

function stateOf({ passes, reviewStatus, reviewCount }: ListedTask): string {
  const state = (reviewStatus ?? (passes ? "done" : "open")).replaceAll("_", " ");
  if (reviewCount === 0) return state;
  return `${state} (${reviewCount === 1 ? "1 review" : `${reviewCount} reviews`})`;
}

function nextText(choice: RoleChoice): string {
  switch (choice.kind) {
    case "turn":
      return `${choice.role} ${choice.taskId}`;
    case "complete":
      return "no turn, every story is done. Ask the checks: ralph prd run. Then put the list away: ralph prd archive";
    case "held":
    case "stuck":
      return choice.reason;
  }
}
