import { isSessionId } from "../../core/session/loop/loop-state.ts";
import { endGitInHook } from "../../shell/git/git-in-hook.ts";
import { openAlertFile } from "../../shell/sessions/alert-file.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { forgetFormerResults } from "./checks/frozen-criteria.ts";
import { answerDueMs, type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";
import type { CheckedSession } from "../../shell/sessions/left-checks.ts";
import type { SessionStore } from "../../shell/sessions/session-store.ts";
import { forgetLostLoop } from "./judge-broken-session.ts";
import { endLoop, endStops, logLoop, openStore } from "./session-loop.ts";

/**
 * A session ends. One that can be resumed keeps its loop. What a session was held to stays in any case: should it stop once more,
 * it is not held to what its agent wrote since.
 */
export async function sessionEnd(event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  endGitInHook(answerDueMs(tools));
  const { sessionId } = event;
  if (!isSessionId(sessionId)) return {};
  openAlertFile(tools.tempFolder, tools.host.alertFileName(sessionId)).remove();
  openStopCounts(tools, sessionId).clear();
  openStopCounts(tools, sessionId, "unwritten").clear();
  if (standsBack(tools) || tools.options.isForRun) return {};
  const store = openStore(event, tools);
  await endChecksOf(store, { sessionId, stateFolder: tools.stateFolder });
  // One that is resumed begins another run with its next stop.
  endStops(store, sessionId);
  if (!event.isOver) return {};
  forgetFormerResults(event, tools);
  forgetLostLoop(event, tools);
  const loop = endLoop(store, sessionId);
  if (loop !== null) logLoop(tools, { type: "deleted", loop });
  return {};
}

/** A hook that was killed during its checks has left them running. What ends them is loaded only then. */
async function endChecksOf(store: SessionStore, session: CheckedSession): Promise<void> {
  const { sessionId } = session;
  const records = [store.read(sessionId), store.read(sessionId, "stops")];
  if (!records.some((record) => record?.run.pending?.type === "run-gate")) return;
  const { endChecks } = await import("./checks/verify-criteria.ts");
  await endChecks(session);
}
