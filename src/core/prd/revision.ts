import type { Revision, RevisionChange } from "../run/revision.ts";
import type { ListedTask, TaskFile } from "./list/task-file.ts";
import { fillText } from "./list/violation.ts";

/** A task list as people edit it: the file, and the PRD beside it. */
export type ListVersion = { file: TaskFile; prd: string };

/**
 * Compares the list that a run last knew with the one that people left; null when both require the same. A changed
 * command or criterion counts as one removed and one added: its new text may check less.
 */
export function findRevision(before: ListVersion, after: ListVersion): Revision | null {
  const all = [
    ...(before.prd === after.prd ? [] : [change({ kind: "prd", field: "prd.md", text: "prd.md was changed." })]),
    ...listChanges(before.file, after.file),
    ...commandChanges(before.file, after.file),
    ...storyChanges(before.file, after.file),
  ];
  if (all.length === 0) return null;
  // Edits that need consent come first, so that the limit never hides one.
  const sorted = [...all.filter(({ isCheckRemoved }) => isCheckRemoved), ...all.filter((each) => !each.isCheckRemoved)];
  return { changes: sorted.slice(0, changesMax), more: Math.max(0, sorted.length - changesMax) };
}

/** Sentences about the checks that a revision removes; they need consent. */
export function removedChecks({ changes }: Revision): string[] {
  return changes.filter(({ isCheckRemoved }) => isCheckRemoved).map(({ text }) => text);
}

/** A revision in words, for the journal and for people. */
export function describeRevision({ changes, more }: Revision): string {
  const rest = more === 0 ? [] : [`And ${more} more.`];
  return ["People edited the task list between turns:", ...changes.map(({ text }) => text), ...rest].join(" ");
}

/** A person edits a few stories; a list that was replaced as a whole must not fill the journal. */
const changesMax = 100;

function listChanges(before: TaskFile, after: TaskFile): RevisionChange[] {
  return (["project", "branchName", "description"] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => {
      const [from, to] = [before[field], after[field]];
      const text = fillText("{field}: {from} → {to}.", { field, from, to });
      return change({ kind: "list", field, from, to, text });
    });
}

function commandChanges(before: TaskFile, after: TaskFile): RevisionChange[] {
  const { removed, added } = compareTexts(before.verifyCommands, after.verifyCommands);
  const field = "verifyCommands";
  return [
    ...removed.map((from) => {
      const text = fillText("The verify command {from} was removed.", { from });
      return change({ kind: "command", field, from, isCheckRemoved: true, text });
    }),
    ...added.map((to) =>
      change({ kind: "command", field, to, text: fillText("The verify command {to} was added.", { to }) }),
    ),
  ];
}

function storyChanges(before: TaskFile, after: TaskFile): RevisionChange[] {
  const former = new Map(before.tasks.map((task) => [task.id, task]));
  const present = new Set(after.tasks.map(({ id }) => id));
  return [
    ...before.tasks.filter(({ id }) => !present.has(id)).map((gone) => removedStory(gone, after)),
    ...after.tasks.flatMap((task) => {
      const known = former.get(task.id);
      return known === undefined
        ? [addedStory(task)]
        : [...criterionChanges(known, task), ...fieldChanges(known, task)];
    }),
  ];
}

/** A removed story removes its criteria, unless its parts have them. */
function removedStory({ id }: ListedTask, after: TaskFile): RevisionChange {
  const isSplit = after.tasks.some(({ splitFrom }) => splitFrom === id);
  const text = fillText(isSplit ? "Story {id} was split." : "Story {id} was removed.", { id });
  return change({ kind: "story-removed", taskId: id, field: "id", from: id, isCheckRemoved: !isSplit, text });
}

function addedStory({ id }: ListedTask): RevisionChange {
  const text = fillText("Story {id} was added.", { id });
  return change({ kind: "story-added", taskId: id, field: "id", to: id, text });
}

function criterionChanges(known: ListedTask, task: ListedTask): RevisionChange[] {
  const { removed, added } = compareTexts(known.acceptanceCriteria, task.acceptanceCriteria);
  const { id } = task;
  const shared = { kind: "criterion" as const, taskId: id, field: "acceptanceCriteria" };
  return [
    ...removed.map((from) => {
      const text = fillText("Story {id}: the acceptance criterion {from} was removed.", { id, from });
      return change({ ...shared, from, isCheckRemoved: true, text });
    }),
    ...added.map((to) =>
      change({ ...shared, to, text: fillText("Story {id}: the acceptance criterion {to} was added.", { id, to }) }),
    ),
  ];
}

/** Everything else of a story. A verdict set by a person is reported; it removes no check. */
const storyFields = [
  "title",
  "description",
  "priority",
  "dependsOn",
  "splitFrom",
  "passes",
  "reviewStatus",
  "reviewCount",
  "reviewFeedback",
  "notes",
] as const;

function fieldChanges(known: ListedTask, task: ListedTask): RevisionChange[] {
  return storyFields
    .filter((field) => JSON.stringify(known[field]) !== JSON.stringify(task[field]))
    .map((field) => {
      const { id } = task;
      const [from, to] = [known[field], task[field]];
      const text = fillText("Story {id}: {field} {from} → {to}.", { id, field, from, to });
      return change({ kind: "story", taskId: id, field, from, to, text });
    });
}

/** Texts as a set: neither their order nor white space around them matters. */
function compareTexts(before: readonly string[], after: readonly string[]): { removed: string[]; added: string[] } {
  const [former, now] = [before, after].map((texts) => new Set(texts.map((text) => text.trim()).filter(Boolean)));
  const missing = (from: Set<string> | undefined, to: Set<string> | undefined): string[] =>
    [...(from ?? [])].filter((text) => to?.has(text) !== true);
  return { removed: missing(former, now), added: missing(now, former) };
}

function change(given: Pick<RevisionChange, "kind" | "field" | "text"> & Partial<RevisionChange>): RevisionChange {
  return { taskId: null, from: null, to: null, isCheckRemoved: false, ...given };
}
