import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HostEvent } from "./event/host-event.ts";
import { endStops, openStore } from "./session-loop.ts";

/** Forgets how often the stops of a session were refused, and ends its run, when the session is gone. */
export function forgetStops(event: HostEvent, tools: HookTools): void {
  openStopCounts(tools, event.sessionId).clear();
  endStops(openStore(event, tools), event.sessionId);
}
