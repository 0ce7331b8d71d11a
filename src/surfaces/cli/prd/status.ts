import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { chooseRole, type RoleChoice } from "../../../core/prd/choose-role.ts";
import { findDependencyFaults } from "../../../core/prd/dependencies.ts";
import { readTaskFile } from "../../../core/prd/read-task-file.ts";
import { estimateIterations, reviewStatistics } from "../../../core/prd/review-figures.ts";
import { isScaffoldTaskFile } from "../../../core/prd/scaffold.ts";
import { checkStanding } from "../../../core/prd/task-file-rules.ts";
import type { ListedTask, ReviewOptions, TaskFile } from "../../../core/prd/task-file.ts";
import { createDisk } from "../../../shell/lib/disk.ts";
import { loadSettings } from "../../../shell/settings/load-settings.ts";
import { findActiveLoop } from "../../../shell/prd/find-active-loop.ts";
import { ownEnvironment } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { countOption, isOn, type Options } from "../input/read-input.ts";
import { existingPrdPlace, type PrdPlace } from "./prd-place.ts";

/** `ralph prd status`: the state of each story, the next turn, and an estimate of iterations. */
export default async function status({ options }: Input): Promise<number> {
  const place = existingPrdPlace(options);
  const disk = createDisk();
  const review = await reviewOptions(options, place);
  const file = readList(place, (await disk.readText(join(place.folder.path, "tasks.json"))) ?? "");
  const active = await findActiveLoop(disk, place.projectDir);
  const overview = { folder: place.folder.name, ...overviewOf(file, review), active };
  process.stdout.write(isOn(options, "json") ? jsonLine(overview) : asText(file, overview));
  return 0;
}

/** A list that can be shown; the error for a template or a broken file says what to do. */
function readList({ folder }: PrdPlace, text: string): TaskFile {
  const path = `${folder.name}/tasks.json`;
  if (isScaffoldTaskFile(text))
    throw new RalphError("usage", `${path} is still the template.`, "Plan first: ralph prd plan");
  const { file, problems } = readTaskFile(text);
  if (file !== undefined) return file;
  const lines = problems.map((problem) => `  ${cleanLine(problem)}`);
  throw new RalphError(
    "usage",
    `${path} is not a task list:\n${lines.join("\n")}`,
    "Correct it, or restore it from git.",
  );
}

async function reviewOptions(options: Options, { projectDir }: PrdPlace): Promise<ReviewOptions> {
  const { settings } = await loadSettings({ disk: createDisk(), env: ownEnvironment(), projectDir }, null);
  const cap = countOption(options, "reviewCap", "--review-cap");
  return {
    isReviewSkipped: isOn(options, "skipReview"),
    reviewCap: cap ?? settings.review.cap,
    ...(cap === null ? {} : { capFlag: "--review-cap" }),
    atCap: settings.review.atCap,
  };
}

function overviewOf(file: TaskFile, review: ReviewOptions) {
  const { project, branchName, description } = file;
  return {
    project,
    branchName,
    description,
    tasks: file.tasks,
    next: chooseRole(file, review),
    estimate: estimateIterations(file, review),
    reviews: reviewStatistics(file),
    problems: [...checkStanding(file, review).map(({ message }) => message), ...findDependencyFaults(file)],
  };
}

type Overview = ReturnType<typeof overviewOf> & { active: string | null };

function asText(file: TaskFile, { next, estimate, reviews, problems, active }: Overview): string {
  const width = Math.max(2, ...file.tasks.map(({ id }) => id.length));
  const stateWidth = Math.max(4, ...file.tasks.map((task) => stateOf(task).length));
  const done = file.tasks.filter(({ passes }) => passes).length;
  const name = file.project === "" ? file.branchName : `${file.project} (${file.branchName})`;
  const lines = [
    `${name}: ${done} of ${file.tasks.length} stories done`,
    ...file.tasks.map((task) => `  ${task.id.padEnd(width)}  ${stateOf(task).padEnd(stateWidth)}  ${task.title}`),
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
