import { countBlock } from "../../core/session/stops/stop-counts.ts";
import { answerUnjudged, heardAfter, unwrittenLoop, wasTold } from "../../core/session/stops/unjudged-stop.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

type Judging = {
  event: HostEvent;
  tools: HookTools;
  /** The answer of everything else that holds for the session. */
  judged: HookAnswer;
};

/** Answers the stop of a loop whose state cannot be stored. What was said of it is counted, where that can be kept. */
export function judgeUnwritten(fault: string, { event, tools, judged }: Judging): HookAnswer {
  const unjudged = unwrittenLoop(fault);
  if (heardAfter(false, judged) === null) return judged;
  const { isContinued } = event;
  const counts = openStopCounts(tools, event.sessionId, "unwritten");
  const now = countBlock(counts.read(), { reason: unjudged.reason, isRow: isContinued });
  counts.write(now);
  const isKept = counts.read().reason === now.reason;
  const isTold = wasTold({ times: now.equalReasons, isKept, isContinued });
  const heard = heardAfter(isTold, judged);
  return heard === null ? judged : answerUnjudged(unjudged, heard, judged);
}
