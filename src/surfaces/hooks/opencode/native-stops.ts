import { isSentTooOften } from "../../../core/policies/equal-reasons.ts";
import { type SessionMessage, textOf } from "../../../core/session/session-message.ts";
import { openStopCounts } from "../../../shell/sessions/stop-counts.ts";
import { keepVerifiedState } from "../criteria/frozen-criteria.ts";
import { openCriteria } from "../criteria.ts";
import type { HookTools } from "../hook-tools.ts";
import type { HostEvent } from "../host-event.ts";
import { judgeNativeStop, refusalHeading } from "../judge-native-stop.ts";
import { openSession, wordsSincePrompt } from "../hosted-session.ts";
import { endStops, openStore } from "../session-loop.ts";
import { stateOfTree } from "../state-of-tree.ts";
import type { LoopHost } from "./loop-host.ts";
import { fieldsOf, textIn } from "./opencode-client.ts";
import type { SessionTree } from "./session-tree.ts";

/** Sessions without a loop of ours, perhaps in one of their host's own: they end when the project's criteria hold. */
export type NativeStops = {
  /** Hears what the host tells. Must not reject, and the host need not wait for it. */
  hear(news: { type: string; properties?: unknown }): Promise<void>;
  /** Ends every verification, and sends nobody back any more. */
  close(): void;
};

/** What the stops of a directory are judged with. */
export type StopPlace = {
  directory: string;
  host: Pick<LoopHost, "getMessages" | "injectPrompt" | "showToast" | "log">;
  tree: SessionTree;
  /** Whether a loop of ours has this session; it judges its stops itself. */
  hasLoop: (sessionId: string) => boolean;
};

/** Begins with no session known. */
export function createNativeStops(place: StopPlace): NativeStops {
  const known: Known = { failed: new Set(), judged: new Map(), atWork: new Map(), again: new Set() };
  return {
    async hear(news) {
      const { sessionID, info } = fieldsOf(news.properties);
      const sessionId = textIn(sessionID) ?? textIn(fieldsOf(info)["id"]);
      if (sessionId === null || place.tree.isChild(sessionId)) return;
      try {
        await hearOne(news, sessionId, { ...place, known });
      } catch (error) {
        const fields = { sessionId, error: error instanceof Error ? error.message : String(error) };
        place.host.log({ level: "error", text: "[criteria] a stop could not be judged", fields });
      }
    },
    close: () => known.atWork.forEach((work) => work.abort()),
  };
}

type Known = {
  /** Sessions whose turn broke off, by an error or by a person: nobody is sent back for that. */
  failed: Set<string>;
  /** How many messages there were when a session's stop was judged last: the host tells of some stops twice. */
  judged: Map<string, number>;
  atWork: Map<string, AbortController>;
  /** Sessions at work that stopped once more meanwhile. */
  again: Set<string>;
};

type Place = StopPlace & { known: Known };

async function hearOne(
  { type, properties }: { type: string; properties?: unknown },
  sessionId: string,
  place: Place,
): Promise<void> {
  const { failed, judged, atWork, again } = place.known;
  switch (type) {
    case "session.created":
      await beginSession(...openSession(sessionId, place.directory, hostName));
      return;
    case "session.error":
      failed.add(sessionId);
      dropOldest(failed);
      return;
    case "session.status":
      if (fieldsOf(fieldsOf(properties)["status"])["type"] === "busy") failed.delete(sessionId);
      return;
    case "session.deleted": {
      failed.delete(sessionId);
      judged.delete(sessionId);
      atWork.get(sessionId)?.abort();
      const [event, tools] = openSession(sessionId, place.directory, hostName);
      openStopCounts(tools, sessionId).clear();
      endStops(openStore(event, tools), sessionId);
      return;
    }
    case "session.idle": {
      if (failed.has(sessionId)) return;
      if (atWork.has(sessionId)) {
        again.add(sessionId);
        return;
      }
      const work = new AbortController();
      atWork.set(sessionId, work);
      const stop = { sessionId, isLoops: place.hasLoop(sessionId), signal: work.signal };
      await judgeStop(stop, place).finally(() => atWork.delete(sessionId));
      // A stop during the verification was of a turn that this one knew nothing of.
      if (again.delete(sessionId) && !work.signal.aborted) await hearOne({ type, properties }, sessionId, place);
    }
  }
}

/** Criteria are read, and what runs them is loaded, before the agent can touch either. */
async function beginSession(event: HostEvent, tools: HookTools): Promise<void> {
  const criteria = await openCriteria(event, tools, { isLoop: false });
  if (criteria !== null) keepVerifiedState(event, tools, stateOfTree(event.projectDir));
}

type Stop = { sessionId: string; isLoops: boolean; signal: AbortSignal };

async function judgeStop({ sessionId, isLoops, signal }: Stop, place: Place): Promise<void> {
  const { host, known, tree } = place;
  const [bare, tools] = openSession(sessionId, place.directory, hostName);
  const criteria = await openCriteria(bare, tools, { isLoop: false });
  if (criteria === null) return;
  const messages = await host.getMessages(sessionId);
  const isNew = known.judged.get(sessionId) !== messages.length && messages.at(-1)?.role === "assistant";
  if (isNew) known.judged.set(sessionId, messages.length);
  dropOldest(known.judged);
  if (isLoops || !isNew) return;
  const sent = countSent(messages);
  const event: HostEvent = {
    ...bare,
    lastMessage: wordsSincePrompt(messages),
    isContinued: sent > 0,
    pendingWork: tree.hasBusyChild(sessionId) ? ["a sub-agent"] : [],
  };
  const { block, notice } = await judgeNativeStop({ ...criteria, signal }, event, tools);
  if (signal.aborted) return;
  // A person who spoke meanwhile, or broke off, has the word; the stop after that is judged.
  if (known.failed.has(sessionId) || (await host.getMessages(sessionId)).length !== messages.length) return;
  const isLetGo = isSentTooOften(sent);
  const given = block !== undefined && isLetGo ? `NOT verified, ${sent} times in a row. ${block}` : notice;
  if (given !== undefined) host.showToast({ title: "Ralph", message: given, variant: "info", duration: 5000 });
  if (block !== undefined && !isLetGo) await host.injectPrompt(sessionId, block);
}

/** The name by which its session runs are told from those of other hosts. */
const hostName = "opencode";

/** Sessions that are remembered; the oldest of so many are over. */
const sessionsMax = 1000;

function dropOldest(known: Set<string> | Map<string, number>): void {
  const [oldest] = known.keys();
  if (known.size > sessionsMax && oldest !== undefined) known.delete(oldest);
}

/** How often the agent was sent back since a person last spoke. */
function countSent(messages: readonly SessionMessage[]): number {
  const asked = messages.filter(({ role }) => role === "user");
  const person = asked.findLastIndex((message) => !textOf(message).startsWith(refusalHeading));
  return asked.length - 1 - person;
}
