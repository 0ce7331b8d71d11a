import { readTaskFile } from "../../src/core/prd/list/read-task-file.ts";
import type { TaskFile } from "../../src/core/prd/list/task-file.ts";

/** One story as the file has it; what a test does not name is that of a new story. */
export type Story = Record<string, unknown>;

/** A story of the first day, with other values where a test gives them. */
export function story(id: string, fields: Story = {}): Story {
  return {
    id,
    title: `Title of ${id}`,
    description: "",
    acceptanceCriteria: [`${id} works`],
    priority: 1,
    passes: false,
    reviewStatus: null,
    reviewCount: 0,
    reviewFeedback: "",
    notes: "",
    dependsOn: [],
    ...fields,
  };
}

export const submitted = { reviewStatus: "needs_review" } as const;
export const sentBack = { reviewStatus: "changes_requested", reviewCount: 1, reviewFeedback: "name it" } as const;
export const approved = { passes: true, reviewStatus: "approved", reviewCount: 1, notes: "done" } as const;

/** The text of a task file with these stories. */
export function taskFileText(stories: readonly Story[], top: Story = {}): string {
  const file = {
    project: "shop",
    branchName: "ralph/shop",
    description: "A shop",
    verifyCommands: ["npm test"],
    userStories: stories,
    ...top,
  };
  return JSON.stringify(file, null, 2);
}

/** The same, read; throws when a test's own file is not valid. */
export function taskFile(stories: readonly Story[], top: Story = {}): TaskFile {
  const { file, problems } = readTaskFile(taskFileText(stories, top));
  if (file === undefined) throw new Error(problems.join("\n"));
  return file;
}
