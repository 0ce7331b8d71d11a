import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { chooseRole, type RoleChoice } from "../../core/prd/choose-role.ts";
import { findDependencyFaults } from "../../core/prd/list/dependencies.ts";
import { readTaskFile } from "../../core/prd/list/read-task-file.ts";
import { estimateIterations, reviewStatistics } from "../../core/prd/review-figures.ts";
import { isScaffoldTaskFile } from "../../core/prd/list/scaffold.ts";
import { checkStanding } from "../../core/prd/list/task-file-rules.ts";
import type { ReviewOptions, TaskFile } from "../../core/prd/list/task-file.ts";
import { cleanLine } from "../../core/text/clean-text.ts";
import type { Machine } from "../../shell/machine.ts";
import { findActiveLoop } from "../../shell/prd/folder/find-active-loop.ts";
import { loadSettings } from "../../shell/settings/load-settings.ts";
import type { ListContext } from "./find-list.ts";

/** How a task list stands: its stories, the next turn, an estimate, and who works on it. */
export type ListOverview = Pick<TaskFile, "project" | "branchName" | "description" | "tasks"> & {
  folder: string;
  next: RoleChoice;
  estimate: ReturnType<typeof estimateIterations>;
  reviews: ReturnType<typeof reviewStatistics>;
  problems: string[];
  active: string | null;
};

/** Where a list is, and how its reviews are counted. `reviewCap` null: as the settings say. */
export type OverviewOptions = ListContext & {
  isReviewSkipped: boolean;
  reviewCap: { cap: number; flag: string } | null;
};

/** The overview of a list. Throws when it is a template, or no list at all. */
export async function listOverview(
  { disk, env }: Pick<Machine, "disk" | "env">,
  options: OverviewOptions,
): Promise<ListOverview> {
  const { projectDir, folder, isReviewSkipped, reviewCap } = options;
  const { settings } = await loadSettings({ disk, env, projectDir }, null);
  const review: ReviewOptions = {
    isReviewSkipped,
    reviewCap: reviewCap?.cap ?? settings.review.cap,
    ...(reviewCap === null ? {} : { capFlag: reviewCap.flag }),
    atCap: settings.review.atCap,
  };
  const file = readList(folder, (await disk.readText(join(folder.path, "tasks.json"))) ?? "");
  const { project, branchName, description, tasks } = file;
  return {
    folder: folder.name,
    project,
    branchName,
    description,
    tasks,
    next: chooseRole(file, review),
    estimate: estimateIterations(file, review),
    reviews: reviewStatistics(file, review.reviewCap),
    problems: [...checkStanding(file, review).map(({ message }) => message), ...findDependencyFaults(file)],
    active: await findActiveLoop(disk, projectDir),
  };
}

/** A list that can be shown; the error for a template or a broken file says what to do. */
function readList({ name }: ListContext["folder"], text: string): TaskFile {
  const path = `${name}/tasks.json`;
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
