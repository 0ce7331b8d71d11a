import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSessionId } from "../../core/session/loop/loop-state.ts";
import { isLoopAtAGlance } from "../../shell/sessions/loop-at-a-glance.ts";
import { frozenChecksPath } from "../../shell/sessions/frozen-checks.ts";
import { sessionFileName, sessionFolderName } from "../../shell/sessions/session-file-name.ts";
import { findActiveFile } from "./event/active-file.ts";
import { type HookTools, runIdOf } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

/** The guard: refuses dangerous calls, warns of doubtful ones, and is silent in sessions that nobody drives (S4-89). */
export async function preToolUse(event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  const { tool } = event;
  if (tool === null) return {};
  const isGuarded = isDirect(event.projectDir, tools) || (await hasLoop(event, tools));
  if (!isGuarded && !isHeld(event, tools)) return {};
  const { callsHook, judgeCall } = await import("./judge-call.ts");
  // A session that only its checks hold is its person's own; but no agent tells them what the host did.
  if (!isGuarded) return callsHook({ ...event, tool }, tools) ? { deny: hookCallRefused } : {};
  const { decision, reason } = judgeCall({ ...event, tool }, tools);
  if (decision === "block") return { deny: `Refused by the command guard: ${reason}` };
  return decision === "warn" ? { context: `Warning of the command guard: ${reason}` } : {};
}

const hookCallRefused = "Refused: only the host calls ralph's hooks, and this session is held to the project's checks.";

/** Whether checks are frozen for the session. */
function isHeld({ sessionId }: HostEvent, { sessionsFolder }: HookTools): boolean {
  return isSessionId(sessionId) && existsSync(frozenChecksPath(sessionsFolder, sessionId));
}

/** A call that our own fault kept from being judged is refused where nothing else protects the machine. */
export function refuseUnjudged(tools: HookTools, fault: string): HookAnswer {
  if (!isDirect(tools.host.projectDir(tools.env), tools)) return {};
  return { deny: `Refused by the command guard: this call could not be judged (${fault}).` };
}

/** Whether an agent works here without a person who allows each call. Either sign suffices. */
function isDirect(projectDir: string, tools: HookTools): boolean {
  return tools.options.isGuardAlways || runIdOf(tools) !== null || findActiveFile(projectDir)?.isDirect === true;
}

async function hasLoop(event: HostEvent, tools: HookTools): Promise<boolean> {
  if (!isSessionId(event.sessionId)) return false;
  // Most sessions have none, and to read a loop takes the engine.
  const folder = join(tools.sessionsFolder, sessionFolderName(tools.host.name, event.sessionId));
  if (isLoopAtAGlance(folder, event.sessionId)) return true;
  const places = [folder, join(tools.sessionsFolder, sessionFileName(event.sessionId))];
  if (!places.some((place) => existsSync(place))) return false;
  const { openStore } = await import("./session-loop.ts");
  return openStore(event, tools).read(event.sessionId)?.loop.active === true;
}
