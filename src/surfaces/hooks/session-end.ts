import { isSessionId } from "../../core/session/loop-state.ts";
import { openAlertFile } from "../../shell/sessions/alert-file.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { forgetCriteria } from "./criteria/frozen-criteria.ts";
import { type HookTools, standsBack } from "./hook-tools.ts";
import type { HookAnswer, HostEvent } from "./host-event.ts";
import { openSessionLoop } from "./session-loop.ts";

/** A session ends. One that can be resumed keeps its loop; one that is over for good leaves nothing behind. */
export async function sessionEnd(event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  const { sessionId } = event;
  if (!isSessionId(sessionId)) return {};
  openAlertFile(tools.tempFolder, tools.host.alertFileName(sessionId)).remove();
  openStopCounts(tools, sessionId).clear();
  openStopCounts(tools, sessionId, "unwritten").clear();
  if (!event.isOver || standsBack(tools) || tools.options.isForRun) return {};
  forgetCriteria(event, tools);
  const { driver } = openSessionLoop(event, tools, { messages: [], checks: null });
  await driver.tell(sessionId, { type: "deleted" });
  driver.close();
  return {};
}
