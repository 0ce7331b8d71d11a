import { type SessionContract, unknownContract } from "../../../core/contract/session-checks.ts";
import { believedVerdicts } from "../../../core/session/stops/session-checks.ts";
import { unusableText } from "../../../core/session/stops/unusable-checks.ts";
import type { SessionMessage } from "../../../core/session/session-message.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import { forgetCriteria, markLoopStart } from "../../../app/session/checks/frozen-criteria.ts";
import { beginUnchecked, openCriteria } from "../../../app/session/checks/criteria.ts";
import type { HookTools } from "../../../app/session/event/hook-tools.ts";
import type { HostEvent } from "../../../app/session/event/host-event.ts";
import { openSession, wordsSincePrompt } from "../../../app/session/event/hosted-session.ts";
import { hasChangedSinceStart, treeMark } from "../../../app/session/checks/tree-mark.ts";

/** The project's criteria for loops of this host's sessions. */
export type LoopCriteria = {
  checks: SessionChecks;
  /** Makes them ready for a loop that is about to start. */
  prepare(sessionId: string): Promise<Prepared>;
  /** Whether anything has changed since the loop began; null: nobody can tell, or nobody asks for it. */
  hasChanged(sessionId: string): Promise<boolean | null>;
  forget(sessionId: string): void;
};

/** Why no loop can start, or what a person must know of the one that does. */
export type Prepared = { problem: string | null; warning: string | null };

/** Criteria of a directory. `getMessages` gives the words that a criterion may look for. */
export function createLoopCriteria(
  directory: string,
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>,
): LoopCriteria {
  const open = (sessionId: string): [HostEvent, HookTools] => openSession(sessionId, directory);
  const prepared = new Map<string, { count: number; contract: SessionContract }>();
  return {
    checks: {
      // Prepared for this very session: two that start at once must not share a number.
      count: (sessionId) => prepared.get(sessionId)?.count ?? 0,
      contract: (sessionId) => prepared.get(sessionId)?.contract ?? unknownContract,
      async run(order) {
        const words = wordsSincePrompt(await getMessages(order.sessionId));
        const criteria = await openCriteria(...open(order.sessionId), {
          isLoop: true,
          isLiving: true,
          turnText: words,
        });
        return criteria === null ? believedVerdicts(order.contractHash) : criteria.checks.run(order);
      },
    },
    async prepare(sessionId) {
      try {
        const criteria = await openCriteria(...open(sessionId), { isLoop: true });
        prepared.set(sessionId, { count: criteria?.count ?? 0, contract: criteria?.contract ?? unknownContract });
        if (criteria === null) return await prepareUnchecked(...open(sessionId));
        const { unusable, unsealed } = criteria;
        return { problem: unusable === null ? null : unusableText(unusable), warning: unsealed };
      } catch (error) {
        const why = thrownText(error);
        return { problem: `The criteria could not be read: ${why}`, warning: null };
      }
    },
    hasChanged: async (sessionId) => hasChangedSinceStart(...open(sessionId)),
    forget(sessionId) {
      const [event, tools] = open(sessionId);
      prepared.delete(sessionId);
      try {
        forgetCriteria(event, tools);
      } catch (error) {
        tools.log({ level: "warning", text: "[hook] criteria could not be removed", fields: { error: String(error) } });
      }
    },
  };
}

async function prepareUnchecked(event: HostEvent, tools: HookTools): Promise<Prepared> {
  const start = await beginUnchecked(event, tools);
  if (start.problem !== null) return { problem: start.problem, warning: null };
  if (start.needsChange) markLoopStart(event, tools, treeMark(event.projectDir));
  return { problem: null, warning: start.warning };
}
