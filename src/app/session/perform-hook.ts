import { isSessionId } from "../../core/session/loop/loop-state.ts";
import { type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HookName, HostEvent } from "./event/host-event.ts";
import { answerFailedStop, forgetFailedStop } from "./failed-stop.ts";
import { postToolUse } from "./post-tool-use.ts";
import { preToolUse, refuseUnjudged } from "./pre-tool-use.ts";
import { isUntouched } from "./untouched-session.ts";

/** What a hook answers. Parts that few calls need are loaded by those only. */
export async function performHook(hook: HookName, event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  switch (hook) {
    case "post-tool-use":
      return postToolUse(event, tools);
    case "pre-tool-use":
      return preToolUse(event, tools);
    case "session-start":
    case "user-prompt-submit":
    case "stop":
    case "session-end":
      return isUntouched(hook, event, tools) ? {} : performInSession(hook, event, tools);
  }
}

type SessionHook = Exclude<HookName, "pre-tool-use" | "post-tool-use">;

/** Each of these events is a file of its own in the built hook: V8 loads only what the event runs. */
async function performInSession(hook: SessionHook, event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  tools.ending?.listen();
  // Without a session there is nothing that an agent could end.
  if (standsBack(tools) || !isSessionId(event.sessionId)) return answerBelieved(hook, event, tools);
  const { believeEvent } = await import("./event/event-sender.ts");
  const { disbelief, conclude } = believeEvent(hook, event, tools);
  if (disbelief === null) return conclude(await answerBelieved(hook, event, tools));
  // Only the agent that sent it reads this.
  return hook === "user-prompt-submit" ? { context: disbelief } : {};
}

async function answerBelieved(hook: SessionHook, event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  switch (hook) {
    case "session-start":
      return (await import("./session-start.ts")).sessionStart(event, tools);
    case "user-prompt-submit":
      return (await import("./user-prompt-submit.ts")).userPromptSubmit(event, tools);
    case "stop": {
      const answer = await (await import("./stop.ts")).stop(event, tools);
      forgetFailedStop(event, tools);
      return answer;
    }
    case "session-end":
      return (await import("./session-end.ts")).sessionEnd(event, tools);
  }
}

/**
 * The answer after a fault of ralph: the host continues, except for a call that was not judged and, once, for a stop. Without
 * an event nobody knows which session stops.
 */
export function answerFault(hook: HookName, event: HostEvent | null, tools: HookTools, fault: string): HookAnswer {
  if (hook === "pre-tool-use") return refuseUnjudged(tools, fault);
  return hook === "stop" && event !== null ? answerFailedStop(event, tools, fault) : {};
}
