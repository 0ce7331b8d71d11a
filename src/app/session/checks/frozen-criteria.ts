import { rmSync } from "node:fs";
import { join } from "node:path";
import { freezingOf, isHeldToChecks } from "../../../core/session/stops/session-checks.ts";
import { askGitInHook } from "../../../shell/git/git-in-hook.ts";
import { headByFiles } from "../../../shell/git/head-by-files.ts";
import { findRepository } from "../../../shell/git/repository.ts";
import { createSharedFiles } from "../../../shell/lib/shared-files.ts";
import { readTextFile } from "../../../shell/lib/read-text-file.ts";
import { projectSettingsFiles } from "../../../shell/settings/settings-files.ts";
import {
  type FrozenChecks,
  frozenChecksPath,
  readFrozenChecks,
  type SettingsTexts,
} from "../../../shell/sessions/frozen-checks.ts";
import { sessionFileName } from "../../../shell/sessions/session-file-name.ts";
import { writeAtomicNow } from "../../../shell/lib/write-atomic-now.ts";
import type { HookTools } from "../event/hook-tools.ts";
import { criteriaPath } from "../../../core/contract/criteria-path.ts";
import type { HostEvent } from "../event/host-event.ts";

/** Criteria and settings are a page or two. */
const bytesMax = 1024 * 1024;

/**
 * What a session is held to, frozen with the first look. Null when there is nothing: without a loop a project needs
 * criteria of its own. Throws when a loop that lives has lost what was frozen for it: what the agent wrote since does not
 * count.
 */
export function freezeCriteria(
  event: HostEvent,
  tools: HookTools,
  { isLoop, isLiving = false }: { isLoop: boolean; isLiving?: boolean },
): FrozenChecks | null {
  const path = frozenPath(event, tools);
  const known = readFrozenChecks(path);
  const freezing = freezingOf({ isKept: known !== null, isLiving });
  if (freezing === "keep") return known;
  if (freezing === "lost") throw new Error(`${path} is gone, which held the checks of this loop`);
  const { projectDir } = event;
  const text = readProjectCriteria(projectDir);
  if (!isHeldToChecks({ isLoop, hasCriteria: text !== null })) return null;
  const nobodyKnows = { loopMark: null, verifiedState: null };
  const start = { projectDir, settings: readSettingsTexts(projectDir), startCommit: headOf(projectDir) };
  const frozen = { text, ...start, ...nobodyKnows };
  writeFrozen(path, frozen, tools);
  return frozen;
}

/**
 * The event as one of the project that its session is held to: a host that does not name the project tells only where the
 * agent is, and the agent can go elsewhere.
 */
export function inOwnProject(event: HostEvent, tools: HookTools): HostEvent {
  try {
    const projectDir = readFrozenChecks(frozenPath(event, tools))?.projectDir ?? event.projectDir;
    return { ...event, projectDir };
  } catch {
    // A file that is damaged is named by whoever needs what it holds.
    return event;
  }
}

/** Remembers how the tree stands now that a loop begins. */
export function markLoopStart(event: HostEvent, tools: HookTools, loopMark: string | null): void {
  const frozen = freezeCriteria(event, tools, { isLoop: true });
  if (frozen !== null) writeFrozen(frozenPath(event, tools), { ...frozen, loopMark }, tools);
}

/** Whether what a session is held to is still there. */
export function isFrozen(event: HostEvent, tools: HookTools): boolean {
  return readFrozenChecks(frozenPath(event, tools)) !== null;
}

/** How the tree stood when the session's loop began; null when nobody knows. */
export function readLoopMark(event: HostEvent, tools: HookTools): string | null {
  return readFrozenChecks(frozenPath(event, tools))?.loopMark ?? null;
}

/** Remembers a state of the tree that a stop without a loop may end with, unasked. */
export function keepVerifiedState(event: HostEvent, tools: HookTools, verifiedState: string | null): void {
  const path = frozenPath(event, tools);
  const frozen = readFrozenChecks(path);
  if (frozen !== null && frozen.verifiedState !== verifiedState) writeFrozen(path, { ...frozen, verifiedState }, tools);
}

/** The state that was kept; null when there is none. */
export function readVerifiedState(event: HostEvent, tools: HookTools): string | null {
  return readFrozenChecks(frozenPath(event, tools))?.verifiedState ?? null;
}

function readSettingsTexts(projectDir: string): SettingsTexts {
  const paths = projectSettingsFiles.map((name) => `${projectDir}/${name}`);
  return Object.fromEntries(paths.map((path) => [path, readTextFile(path, { bytesMax, links: "follow" })]));
}

/** What the project's file holds now; null when there is none. */
export function readProjectCriteria(projectDir: string): string | null {
  return readTextFile(join(projectDir, criteriaPath), { bytesMax, links: "follow" });
}

/** Clears the frozen criteria of a session that its host has deleted, or for the next loop of a program. */
export function forgetCriteria(event: HostEvent, tools: HookTools): void {
  rmSync(frozenPath(event, tools), { force: true });
  forgetFormerResults(event, tools);
}

/** Removes what an earlier version kept of results of checks. Nobody reads it any more. */
export function forgetFormerResults(event: HostEvent, tools: HookTools): void {
  const name = sessionFileName(event.sessionId).replace(/^session-/, "results-");
  rmSync(join(tools.sessionsFolder, name), { force: true });
}

function frozenPath(event: HostEvent, tools: HookTools): string {
  return frozenChecksPath(tools.sessionsFolder, event.sessionId);
}

/** Where it cannot be kept, inside a sandbox, the project's own files count each time. */
function writeFrozen(path: string, frozen: FrozenChecks, { log }: HookTools): void {
  try {
    writeAtomicNow(path, JSON.stringify(frozen));
  } catch (error) {
    log({ level: "warning", text: "[hook] criteria could not be frozen", fields: { error: String(error) } });
  }
}

/** By files where they tell: a session begins often, and a process of git takes longer than all the rest of this hook. */
function headOf(projectDir: string): string | null {
  const files = createSharedFiles();
  const repository = findRepository(files, projectDir);
  if (repository === null) return null;
  const head = headByFiles(files, repository);
  if (head !== null) return head;
  return askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD"], gitMsMax)?.trim() ?? null;
}

const gitMsMax = 5000;
