import { type SessionMessage, textOf } from "../../../core/session/session-message.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import { forgetCriteria } from "../criteria/frozen-criteria.ts";
import { openCriteria } from "../criteria.ts";
import { type HookTools, openTools } from "../hook-tools.ts";
import type { HostEvent } from "../host-event.ts";
import { opencodeHost, toolEvent } from "./opencode-host.ts";

/** The project's criteria for loops of this host's sessions. */
export type LoopCriteria = {
  checks: SessionChecks;
  /** Makes them ready for a loop that is about to start; a text says why they cannot be used. */
  prepare(sessionId: string): Promise<string | null>;
  forget(sessionId: string): void;
};

/** Criteria of a directory. `getMessages` gives the words that a criterion may look for. */
export function createLoopCriteria(
  directory: string,
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>,
): LoopCriteria {
  const open = (sessionId: string): [HostEvent, HookTools] => openSession(sessionId, directory);
  const counts = new Map<string, number>();
  return {
    checks: {
      // Prepared for this very session: two that start at once must not share a number.
      count: (sessionId) => counts.get(sessionId) ?? 0,
      async run(order) {
        const words = wordsSincePrompt(await getMessages(order.sessionId));
        const criteria = await openCriteria(...open(order.sessionId), { isLoop: true, turnText: words });
        if (criteria === null) throw new Error("the criteria of this loop are gone");
        return criteria.checks.run(order);
      },
    },
    async prepare(sessionId) {
      try {
        const criteria = await openCriteria(...open(sessionId), { isLoop: true });
        counts.set(sessionId, criteria?.count ?? 0);
        return criteria?.problem ?? null;
      } catch (error) {
        return `The criteria could not be read: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    forget(sessionId) {
      const [event, tools] = open(sessionId);
      counts.delete(sessionId);
      try {
        forgetCriteria(event, tools);
      } catch (error) {
        tools.log({ level: "warning", text: "[hook] criteria could not be removed", fields: { error: String(error) } });
      }
    },
  };
}

/** A session as the criteria see it. The host waits for nothing here: the limit of each check is the only one. */
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
