import { answerUnjudged, brokenLoop, heardAfter } from "../../../core/session/unjudged-stop.ts";
import { type BrokenSession, findBroken, markBroken } from "../../../shell/sessions/broken-session.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../event/host-event.ts";

/** The state of this session's loop lies aside because it could not be used; null: it does not, or people know. */
export function findBrokenLoop(event: HostEvent, tools: HookTools): BrokenSession | null {
  return findBroken(tools.sessionsFolder, event.sessionId);
}

/** Answers the stop of a session whose loop lies aside. `judged` is the answer of everything else that holds for it. */
export function judgeBrokenLoop(broken: BrokenSession, judged: HookAnswer): HookAnswer {
  const heard = heardAfter(broken.isTold, judged);
  const path = heard === null ? broken.path : markBroken(broken, heard);
  return answerUnjudged(brokenLoop(path), heard, judged);
}
