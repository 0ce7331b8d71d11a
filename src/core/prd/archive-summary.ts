import { isListComplete } from "./choose-role.ts";
import { isDone, reviewStatistics } from "./review-figures.ts";
import type { TaskFileReading } from "./list/read-task-file.ts";
import type { ListedTask } from "./list/task-file.ts";

/** What an archive is about. Dates as `2026-11-15`. */
export type ArchiveFacts = { label: string; reading: TaskFileReading; progress: string; archivedOn: string };

/** `summary.md` of an archive: how much was done, when, and how the reviews went (S4-85, S4-99). */
export function archiveSummary({ label, reading, progress, archivedOn }: ArchiveFacts): string {
  const started = /^Started:\s*(\d{4}-\d\d-\d\d)/m.exec(progress)?.[1] ?? "unknown";
  const head = [`# ${label}`, `Dates: ${started} to ${archivedOn}`];
  const { file } = reading;
  if (file === undefined)
    return join([...head, "tasks.json could not be read:", list((reading.problems ?? []).slice(0, 20))]);
  // Whether reviews were skipped is not known any more: then no story of the run has a review state.
  const done = file.tasks.filter((task) => isDone(task, { isReviewSkipped: task.reviewStatus === null })).length;
  const figures = reviewStatistics(file, null);
  const counts = Object.entries(figures.tasksByReviews).map(([reviews, tasks]) => `${tasks} with ${reviews}`);
  return join([
    ...head,
    list([
      `Project: ${file.project === "" ? "unnamed" : file.project}`,
      `Branch: ${file.branchName}`,
      `Stories completed: ${done} of ${file.tasks.length}`,
      `Reviewed to the end: ${isListComplete(file, { isReviewSkipped: false }) ? "yes" : "no"}`,
    ]),
    "## Reviews",
    list([
      `Reviews: ${figures.reviews}${counts.length === 0 ? "" : ` (stories by number of reviews: ${counts.join(", ")})`}`,
      figures.sentence,
    ]),
    "## Stories",
    list(file.tasks.map(storyLine)),
  ]);
}

/** A folder name from a label or a branch: `ralph/` says nothing, and a slash would make folders. */
export function archiveName(label: string): string {
  const plain = label
    .replace(/^ralph\//, "")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, nameCharsMax) || "loop";
}

/** File systems take 255 bytes; date and number come on top. */
const nameCharsMax = 60;

function storyLine({ id, title, passes, reviewStatus, reviewCount }: ListedTask): string {
  const state = passes ? (reviewStatus ?? "passed") : (reviewStatus ?? "open");
  const reviews = reviewCount === 1 ? "1 review" : `${reviewCount} reviews`;
  return `${id} ${title}: ${state}, ${reviews}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.replaceAll(/\s+/g, " ")}`).join("\n");
}

function join(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
