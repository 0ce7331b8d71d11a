import {
  answerUnjudged,
  brokenLoop,
  heardAfter,
  lostLoop,
  type Unjudged,
} from "../../core/session/stops/unjudged-stop.ts";
import { findBroken, markBroken } from "../../shell/sessions/broken-session.ts";
import { findLost, hearLost } from "../../shell/sessions/loop-mark.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

/** A loop of this session that cannot be used; `hear` remembers how far people have heard of it. */
export type BrokenLoop = { isTold: boolean; hear: (heard: "told" | "named") => Unjudged };

/** The state of this session's loop lies aside because it could not be used, or is gone; null: neither, or people know. */
export function findBrokenLoop({ sessionId }: HostEvent, { sessionsFolder }: HookTools): BrokenLoop | null {
  const broken = findBroken(sessionsFolder, sessionId);
  if (broken !== null) return { isTold: broken.isTold, hear: (heard) => brokenLoop(markBroken(broken, heard)) };
  const lost = findLost(sessionsFolder, sessionId);
  if (lost === null) return null;
  const hear: BrokenLoop["hear"] = (heard) => {
    hearLost(lost, heard);
    return lostLoop(lost.folderPath);
  };
  return { isTold: lost.isTold, hear };
}

/** Answers the stop of a session with such a loop. `judged` is the answer of everything else that holds for it. */
export function judgeBrokenLoop({ isTold, hear }: BrokenLoop, judged: HookAnswer): HookAnswer {
  const heard = heardAfter(isTold, judged);
  return heard === null ? judged : answerUnjudged(hear(heard), heard, judged);
}

/** A person cancelled the loop, or its session is over: that it is gone is nothing to speak of any more. */
export function forgetLostLoop({ sessionId }: HostEvent, { sessionsFolder }: HookTools): void {
  const lost = findLost(sessionsFolder, sessionId);
  if (lost !== null) hearLost(lost, "named");
}
