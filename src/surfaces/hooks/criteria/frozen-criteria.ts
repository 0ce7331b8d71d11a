import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askGitInHook } from "../../../shell/git/git-in-hook.ts";
import { readTextFile } from "../../../shell/read-text-file.ts";
import { sessionFileName } from "../../../shell/sessions/session-file-name.ts";
import type { HookTools } from "../hook-tools.ts";
import { criteriaPath } from "../../../core/contract/criteria-path.ts";
import type { HostEvent } from "../host-event.ts";

/** The project's criteria as they were when the session first met them; an edit meanwhile changes nothing. */
export type FrozenCriteria = {
  text: string;
  /** HEAD at that time, or null. */
  startCommit: string | null;
};

/** Criteria are a page or two. */
const bytesMax = 1024 * 1024;

/** The criteria of a session, frozen with the first look; null when the project has none. */
export function freezeCriteria(event: HostEvent, tools: HookTools): FrozenCriteria | null {
  const path = frozenPath(event, tools);
  const known = readFrozen(path);
  if (known !== null) return known;
  const text = readProjectCriteria(event.projectDir);
  if (text === null) return null;
  const frozen = { text, startCommit: headOf(event.projectDir) };
  writeFrozen(path, frozen, tools);
  return frozen;
}

/** What the project's file holds now; null when there is none. */
export function readProjectCriteria(projectDir: string): string | null {
  return readTextFile(join(projectDir, criteriaPath), { bytesMax, links: "follow" });
}

/** Lets a new session, or the end of one, begin anew. */
export function forgetCriteria(event: HostEvent, tools: HookTools): void {
  for (const path of [frozenPath(event, tools), resultsPath(event, tools)]) rmSync(path, { force: true });
}

/** Where the results of a session's checks are remembered. */
export function resultsPath(event: Pick<HostEvent, "sessionId">, tools: HookTools): string {
  return join(tools.sessionsFolder, sessionFileName(event.sessionId).replace(/^session-/, "results-"));
}

function frozenPath(event: HostEvent, tools: HookTools): string {
  return join(tools.sessionsFolder, sessionFileName(event.sessionId).replace(/^session-/, "criteria-"));
}

function readFrozen(path: string): FrozenCriteria | null {
  const kept = readTextFile(path, { bytesMax: 2 * bytesMax, links: "refuse" });
  if (kept === null) return null;
  const value: unknown = JSON.parse(kept);
  const fields = new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const [text, startCommit] = [fields.get("text"), fields.get("startCommit")];
  if (typeof text !== "string") throw new Error(`${path} is damaged`);
  return { text, startCommit: typeof startCommit === "string" ? startCommit : null };
}

/** Where it cannot be kept, inside a sandbox, the project's own file counts each time. */
function writeFrozen(path: string, frozen: FrozenCriteria, { log }: HookTools): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(frozen), { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    log({ level: "warning", text: "[hook] criteria could not be frozen", fields: { error: String(error) } });
  }
}

function headOf(projectDir: string): string | null {
  return askGitInHook(projectDir, ["rev-parse", "--verify", "--quiet", "HEAD"], gitMsMax)?.trim() ?? null;
}

const gitMsMax = 5000;
