import { refusalHeading } from "../../../core/session/stops/native-answer.ts";
import {
  countSent,
  isNewStop,
  isStillIdle,
  isToBeJudged,
  sendBackOrLetGo,
} from "../../../core/session/stops/native-news.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import { keepVerifiedState } from "../../../app/session/checks/frozen-criteria.ts";
import { openCriteria } from "../../../app/session/checks/criteria.ts";
import type { HookTools } from "../../../app/session/event/hook-tools.ts";
import type { HostEvent } from "../../../app/session/event/host-event.ts";
import { judgeNativeStop } from "../../../app/session/judge-native-stop.ts";
import { openSession, wordsSincePrompt } from "../../../app/session/event/hosted-session.ts";
import { forgetStops } from "../../../app/session/forget-stops.ts";
import { stateOfTree } from "../../../app/session/event/state-of-tree.ts";
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
export type StopContext = {
  directory: string;
  host: Pick<LoopHost, "getMessages" | "injectPrompt" | "showToast" | "log">;
  tree: SessionTree;
  /** Whether a loop of ours has this session; it judges its stops itself. */
  hasLoop: (sessionId: string) => boolean;
};

/** Begins with no session known. */
export function createNativeStops(context: StopContext): NativeStops {
  const known: Known = { failed: new Set(), judged: new Map(), atWork: new Map(), again: new Set() };
  return {
    async hear(news) {
      const { sessionID, info } = fieldsOf(news.properties);
      const sessionId = textIn(sessionID) ?? textIn(fieldsOf(info)["id"]);
      if (sessionId === null || context.tree.isChild(sessionId)) return;
      try {
        await hearOne(news, sessionId, { ...context, known });
      } catch (error) {
        const fields = { sessionId, error: thrownText(error) };
        context.host.log({ level: "error", text: "[criteria] a stop could not be judged", fields });
        if (news.type !== "session.idle") return;
        const message = `A stop could not be judged and is NOT verified: ${fields.error}`;
        context.host.showToast({ title: "Ralph", message, variant: "error", duration: 5000 });
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

type Place = StopContext & { known: Known };

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
      forgetStops(...openSession(sessionId, place.directory, hostName));
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
  const session = { messages, judgedCount: known.judged.get(sessionId) ?? null, hasLoop: isLoops };
  if (isNewStop(session)) known.judged.set(sessionId, messages.length);
  dropOldest(known.judged);
  if (!isToBeJudged(session)) return;
  const sent = countSent(messages, refusalHeading);
  const event: HostEvent = {
    ...bare,
    lastMessage: wordsSincePrompt(messages),
    isContinued: sent > 0,
    pendingWork: tree.hasBusyChild(sessionId) ? ["a sub-agent"] : [],
  };
  const { block, notice } = await judgeNativeStop({ ...criteria, signal }, event, tools);
  if (signal.aborted) return;
  const now = { messages: await host.getMessages(sessionId), isBrokenOff: known.failed.has(sessionId) };
  if (!isStillIdle(messages, now)) return;
  const said = block === undefined ? { notice } : sendBackOrLetGo(block, sent);
  if ("prompt" in said) await host.injectPrompt(sessionId, said.prompt);
  else if (said.notice !== undefined)
    host.showToast({ title: "Ralph", message: said.notice, variant: "info", duration: 5000 });
}

/** The name by which its session runs are told from those of other hosts. */
const hostName = "opencode";

/** Sessions that are remembered; the oldest of so many are over. */
const sessionsMax = 1000;

function dropOldest(known: Set<string> | Map<string, number>): void {
  const [oldest] = known.keys();
  if (known.size > sessionsMax && oldest !== undefined) known.delete(oldest);
}
