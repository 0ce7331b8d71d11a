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
  /** Freezes them for a loop that is about to start; a text says why they cannot be used. */
  prepare(sessionId: string): Promise<string | null>;
  forget(sessionId: string): void;
};

/** Criteria of a directory. `getMessages` gives the words that a criterion may look for. */
export function createLoopCriteria(
  directory: string,
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>,
): LoopCriteria {
  // The host waits for nothing here: the limit of each check is the only one.
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: Number.POSITIVE_INFINITY };
  const open = (sessionId: string): [HostEvent, HookTools] => [
    toolEvent({ sessionId, directory, isSubagent: false, tool: null, tokens: null }),
    openTools(opencodeHost(directory, null), options),
  ];
  const checks = {
    /** Of the loop that was prepared last, which is the one that starts now. */
    count: 0,
    async run(order: Parameters<SessionChecks["run"]>[0]) {
      const criteria = await openCriteria(...open(order.sessionId), wordsOf(await getMessages(order.sessionId)));
      if (criteria === null) throw new Error("the criteria of this loop are gone");
      return criteria.checks.run(order);
    },
  };
  return {
    checks,
    async prepare(sessionId) {
      checks.count = 0;
      try {
        forgetCriteria(...open(sessionId));
        const criteria = await openCriteria(...open(sessionId));
        checks.count = criteria?.checks.count ?? 0;
        return criteria?.problem ?? null;
      } catch (error) {
        return `The criteria could not be read: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    forget(sessionId) {
      const [event, tools] = open(sessionId);
      try {
        forgetCriteria(event, tools);
      } catch (error) {
        tools.log({ level: "warning", text: "[hook] criteria could not be removed", fields: { error: String(error) } });
      }
    },
  };
}

/** What the agent said since it was last spoken to. */
function wordsOf(messages: readonly SessionMessage[]): string {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const own = messages.slice(asked + 1).filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}
