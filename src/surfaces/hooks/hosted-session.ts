import { type SessionMessage, textOf } from "../../core/session/session-message.ts";
import { type HookTools, openTools } from "./hook-tools.ts";
import type { HostEvent } from "./host-event.ts";
import { opencodeHost, toolEvent } from "./opencode/opencode-host.ts";

/**
 * A session inside this process, as the criteria see it. The host waits for nothing here: the limit of each check is the
 * only one.
 */
export function openSession(sessionId: string, directory: string): [HostEvent, HookTools] {
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: Number.POSITIVE_INFINITY };
  return [
    toolEvent({ sessionId, directory, isSubagent: false, tool: null, tokens: null }),
    openTools(opencodeHost(directory, null), options),
  ];
}

/** What the agent said since it was last spoken to. */
export function wordsSincePrompt(messages: readonly SessionMessage[]): string {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const own = messages.slice(asked + 1).filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}
