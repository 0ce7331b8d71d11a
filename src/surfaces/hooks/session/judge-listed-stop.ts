import { realpathSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { equalReasonsMax } from "../../../core/policies/equal-reasons.ts";
import type { ActiveReading } from "../../../core/prd/read-active-file.ts";
import { readTaskFile } from "../../../core/prd/read-task-file.ts";
import { checkChanges, checkStanding, findMissingStep } from "../../../core/prd/task-file-rules.ts";
import type { TaskFile } from "../../../core/prd/task-file.ts";
import { readTextFile, textBytesMax } from "../../../shell/lib/read-text-file.ts";
import { findRalphFolder, type RalphFolder } from "../../../shell/prd/ralph-folder.ts";
import { countBlock, isStopGivenUp, openStopCounts } from "../../../shell/sessions/stop-counts.ts";
import { findActiveFile } from "../event/active-file.ts";
import { findUncommitted } from "./find-uncommitted.ts";
import { type HookTools, runIdOf } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../event/host-event.ts";

/** The run on a task list that this stop belongs to; null when it is none, or another one's (S4-39, CW-4R). */
export function readListedRun(event: HostEvent, tools: HookTools): ActiveReading | null {
  const active = findActiveFile(event.projectDir);
  if (active === null || active.run === null || active.run === runIdOf(tools)) return active;
  const fields = { sessionId: event.sessionId, run: active.run };
  tools.log({ level: "info", text: "[hook] .ralph-active belongs to a run that this session is not part of", fields });
  return null;
}

/** Checks 1, 2, 2.5 and 3 in order; the first that fails blocks with its reason (S4-40). */
export function judgeListedStop(active: ActiveReading, event: HostEvent, tools: HookTools): HookAnswer {
  const warnings: string[] = [];
  const reason = findReason(active, event, warnings);
  for (const text of warnings) tools.log({ level: "warning", text: `[hook] ${text}`, fields: {} });
  const notice = warnings.length === 0 ? {} : { notice: warnings.join(" ") };
  const counts = openStopCounts(tools, event.sessionId);
  if (reason === null) {
    counts.clear();
    return notice;
  }
  const before = counts.read();
  const now = countBlock(before, { reason: reason.text, isRow: event.isContinued });
  if (!isStopGivenUp(now, reason.isOnce ? 1 : equalReasonsMax)) {
    counts.write(now);
    return { block: reason.text };
  }
  counts.clear();
  const fields = { sessionId: event.sessionId, reason: reason.text };
  tools.log({ level: "warning", text: "[hook] the stop is allowed; the run deals with what is left", fields });
  return { notice: `The stop is allowed after ${before.equalReasons} equal reasons: ${reason.text}` };
}

type Reason = { text: string; isOnce: boolean };

function findReason(active: ActiveReading, event: HostEvent, warnings: string[]): Reason | null {
  const folder = findListFolder(active, event);
  const path = join(folder.path, "tasks.json");
  const name = `${folder.name}/tasks.json`;
  const found = readList(path);
  if (found === null) return blocked(`${name} does not exist. Restore it from git.`);
  if ("problem" in found) return blocked(`${found.problem} Restore ${name} from git.`);
  const { file, problems } = readTaskFile(found.text);
  if (problems !== undefined) return blocked([`${name} is not valid:`, ...problems].join("\n"));
  const standing = checkStanding(file, active.review);
  if (standing.length > 0) return blocked(standing.map(({ message }) => message).join("\n"));
  return findTurnFault(file, active, warnings) ?? findLoose({ active, folder: folder.name, warnings }, event);
}

/** The folder that the run named; one that is not there, or leads out of the project by a link, is not the run's. */
function findListFolder({ ralphDir }: ActiveReading, { projectDir }: HostEvent): RalphFolder {
  try {
    return findRalphFolder(realpathSync(projectDir), ralphDir);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return findRalphFolder(projectDir, null);
  }
}

function readList(path: string): { text: string } | { problem: string } | null {
  try {
    const text = readTextFile(path, { bytesMax: textBytesMax, links: "refuse" });
    return text === null ? null : { text };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function findTurnFault(file: TaskFile, active: ActiveReading, warnings: string[]): Reason | null {
  const { role, snapshot, review } = active;
  if (review.isReviewSkipped) return null;
  if (role === null || snapshot === null) {
    warnings.push("The task list before this iteration is unknown: its changes are not checked (check 2.5).");
    return null;
  }
  const turn = { ...review, role, taskId: null };
  const changes = checkChanges(snapshot, file, turn);
  if (changes.length > 0) return blocked(changes.map(({ message }) => message).join("\n"));
  const missing = findMissingStep(snapshot, file, turn);
  return missing === null ? null : { text: missing.message, isOnce: true };
}

type LooseEnds = { active: ActiveReading; folder: string; warnings: string[] };

function findLoose({ active, folder, warnings }: LooseEnds, event: HostEvent): Reason | null {
  const loose = findUncommitted(event.projectDir, { before: active.dirtyAtStart, folder });
  if (loose === null) warnings.push("This is not a git repository: uncommitted changes are not checked (check 3).");
  if (loose === null || loose.length === 0) return null;
  const shown = loose.slice(0, pathsShown).map((path) => `- ${path}`);
  const rest = loose.length > pathsShown ? [`- and ${loose.length - pathsShown} more`] : [];
  return blocked(["There are uncommitted changes:", ...shown, ...rest, "", commitSteps(folder)].join("\n"));
}

const pathsShown = 20;

/** What is left to do before a stop (S4-62, S4-96). */
function commitSteps(folder: string): string {
  return `Before you stop:
1. Update \`${folder === "." ? "" : `${folder}/`}progress.txt\` with what you accomplished and what you learned.
2. Consider whether a lasting pattern belongs into CLAUDE.md or \`.claude/rules/\`; skip it when nothing universal was learned.
3. Commit ALL changes, including progress.txt and tasks.json.`;
}

function blocked(text: string): Reason {
  return { text, isOnce: false };
}
