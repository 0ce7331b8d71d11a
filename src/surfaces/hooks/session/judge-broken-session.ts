import { type BrokenSession, findBroken, markBroken } from "../../../shell/sessions/broken-session.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../event/host-event.ts";

/** The state of this session's loop lies aside because it could not be used; null: it does not, or people know. */
export function brokenLoop(event: HostEvent, tools: HookTools): BrokenSession | null {
  return findBroken(tools.sessionsFolder, event.sessionId);
}

/**
 * Nobody can tell which gates the loop had: the first stop is blocked with the reason, the next one is judged without the
 * loop and, when it is allowed, says so. `judged` is the answer of everything else that holds for the session.
 */
export function judgeBrokenLoop(broken: BrokenSession, judged: HookAnswer): HookAnswer {
  if (judged.block !== undefined) return judged;
  if (!broken.isTold) {
    const path = markBroken(broken, "told");
    const remedy = "If the work is done, stop again; to loop again, type /ralph with the task.";
    return { ...judged, block: `${reasonOf(path)} Nobody verified this stop. ${remedy}` };
  }
  const path = markBroken(broken, "named");
  const notices = [judged.notice ?? null, `${reasonOf(path)} The loop ended without verification.`];
  return { ...judged, notice: notices.filter((each) => each !== null).join(" ") };
}

function reasonOf(path: string): string {
  return `The state of this session's Ralph loop cannot be used; it is kept as ${path}.`;
}
