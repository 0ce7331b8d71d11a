import type { ActiveReading } from "./read-active-file.ts";
import { readTaskFile } from "./list/read-task-file.ts";
import { checkChanges, checkStanding, findMissingStep } from "./list/task-file-rules.ts";
import type { TaskFile } from "./list/task-file.ts";

/** Why the turn of a run on a task list may not end yet. `isOnce`: it holds one stop back, not every one. */
export type ListedReason = { text: string; isOnce: boolean };

/** The reason, or null, and what could not be checked, for people. */
export type ListedFinding = { reason: ListedReason | null; warnings: string[] };

/** The task list as it was found: its text, why it cannot be read, or null when there is none. */
export type FoundList = { text: string } | { problem: string } | null;

/** Whether a session is part of the run that an active file names; one that names none is everybody's (CW-4R). */
export function isPartOf({ run }: Pick<ActiveReading, "run">, runId: string | null): boolean {
  return run === null || run === runId;
}

/** Checks 1, 2 and 2.5 of a stop (S4-40). Check 1 blocks alone; what checks 2 and 2.5 find is said together. */
export function checkListedTurn(list: FoundList, active: ActiveReading, name: string): ListedFinding {
  if (list === null) return blocked(`${name} does not exist. Restore it from git.`);
  if ("problem" in list) return blocked(`${list.problem} Restore ${name} from git.`);
  const { file, problems } = readTaskFile(list.text);
  if (problems !== undefined) return blocked([`${name} is not valid:`, ...problems].join("\n"));
  const standing = checkStanding(file, active.review).map(({ message }) => message);
  const turn = checkTurn(file, active);
  if (standing.length === 0) return turn;
  // A step that is only missing blocks once; together with a broken rule it is said as often as that.
  const texts = [...standing, ...(turn.reason === null ? [] : [turn.reason.text])];
  return { ...blocked([...new Set(texts)].join("\n")), warnings: turn.warnings };
}

/** Check 3: nothing of the turn is left uncommitted. Null: git has nothing to say. */
export function checkLoosePaths(loose: readonly string[] | null, folder: string): ListedFinding {
  if (loose === null)
    return { reason: null, warnings: ["This is not a git repository: uncommitted changes are not checked (check 3)."] };
  if (loose.length === 0) return nothing;
  const shown = loose.slice(0, pathsShown).map((path) => `- ${path}`);
  const rest = loose.length > pathsShown ? [`- and ${loose.length - pathsShown} more`] : [];
  return blocked(["There are uncommitted changes:", ...shown, ...rest, "", commitSteps(folder)].join("\n"));
}

const pathsShown = 20;

const nothing: ListedFinding = { reason: null, warnings: [] };

function checkTurn(file: TaskFile, { role, snapshot, review }: ActiveReading): ListedFinding {
  if (review.isReviewSkipped) return nothing;
  if (role === null || snapshot === null) {
    const warning = "The task list before this iteration is unknown: its changes are not checked (check 2.5).";
    return { reason: null, warnings: [warning] };
  }
  const turn = { ...review, role, taskId: null };
  const changes = checkChanges(snapshot, file, turn);
  if (changes.length > 0) return blocked(changes.map(({ message }) => message).join("\n"));
  const missing = findMissingStep(snapshot, file, turn);
  return missing === null ? nothing : { reason: { text: missing.message, isOnce: true }, warnings: [] };
}

/** What is left to do before a stop (S4-62, S4-96). */
function commitSteps(folder: string): string {
  return `Before you stop:
1. Update \`${folder === "." ? "" : `${folder}/`}progress.txt\` with what you accomplished and what you learned.
2. Consider whether a lasting pattern belongs into CLAUDE.md or \`.claude/rules/\`; skip it when nothing universal was learned.
3. Commit ALL changes, including progress.txt and tasks.json.`;
}

function blocked(text: string): ListedFinding {
  return { reason: { text, isOnce: false }, warnings: [] };
}
