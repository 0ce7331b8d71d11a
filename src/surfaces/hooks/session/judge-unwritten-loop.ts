import { countBlock, openStopCounts } from "../../../shell/sessions/stop-counts.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../event/host-event.ts";

type Judging = {
  event: HostEvent;
  tools: HookTools;
  /** The answer of everything else that holds for the session. */
  judged: HookAnswer;
};

/**
 * A loop whose state cannot be stored judges nothing: the first stop is blocked with the reason, the next one is allowed
 * and says so. Where not even that can be remembered, the host's word that it was sent back before counts.
 */
export function judgeUnwritten(fault: string, { event, tools, judged }: Judging): HookAnswer {
  if (judged.block !== undefined) return judged;
  // The name of a temporary file differs each time, and equal faults must be told as such.
  const told = fault.replaceAll(/\.[^\s/']+\.tmp/g, "its temporary file").replace(/[.]?$/, ".");
  const reason = `The state of this session's Ralph loop cannot be stored: ${told}`;
  const counts = openStopCounts(tools, event.sessionId, "unwritten");
  const now = countBlock(counts.read(), { reason, isRow: event.isContinued });
  counts.write(now);
  const isKept = counts.read().reason === now.reason;
  if (now.equalReasons === 1 && (isKept || !event.isContinued)) {
    const remedy = "Remove what stands in its place, or tell the user; then stop again.";
    return { ...judged, block: `${reason} Nobody verified this stop. ${remedy}` };
  }
  const notices = [judged.notice ?? null, `${reason} The stop is allowed without verification.`];
  return { ...judged, notice: notices.filter((each) => each !== null).join(" ") };
}
