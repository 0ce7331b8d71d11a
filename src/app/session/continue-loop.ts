import { believedVerdicts } from "../../core/session/stops/session-checks.ts";
import { type SessionMessage, textOf } from "../../core/session/session-message.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { sendBack } from "../../core/session/stops/stop-counts.ts";
import { turnBeganAt } from "../../core/session/session-turn.ts";
import type { TranscriptOffset } from "../../core/session/transcript-offset.ts";
import { afterStop, noticeOf } from "../../core/session/stops/stop-end.ts";
import { passStop } from "../../shell/drivers/session/stop-pass.ts";
import { hookClock } from "../../shell/lib/real-clock.ts";
import type { SessionStore } from "../../shell/sessions/session-store.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { openCriteria } from "./checks/criteria.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent, TranscriptTurn } from "./event/host-event.ts";
import { logLoop } from "./session-loop.ts";
import { hasChangedSinceStart } from "./checks/tree-mark.ts";

/** What a stop of a loop comes to. Unjudged: the loop could not judge it, and everything else must. */
export async function continueLoop(
  record: SessionRecord,
  store: SessionStore,
  { event, tools }: { event: HostEvent; tools: HookTools },
): Promise<HookAnswer | "unjudged"> {
  const { sessionId, pendingWork } = event;
  const counts = openStopCounts(tools, sessionId);
  const { turn, offset } = await readTurn(record, event, counts.readOffset());
  const hasChecks = record.run.policy.gates.length > 0;
  const order = { isLoop: true, isLiving: true, turnText: wordsOf(turn) };
  const criteria = hasChecks ? await openCriteria(event, tools, order) : null;
  const end = await passStop(
    {
      sessionId,
      store,
      clock: hookClock,
      checks: criteria?.checks ?? (hasChecks ? believing : null),
      messages: turn.messages,
      hasWork: pendingWork.length > 0,
      hasChanged: () => hasChangedSinceStart(event, tools),
    },
    record,
  );
  const notice = noticeOf(end);
  if (notice !== null) logLoop(tools, notice);
  const after = afterStop(end, pendingWork);
  if (after.kind === "unjudged") return "unjudged";
  if (after.kind === "answer") {
    if (after.isOver) [counts, openStopCounts(tools, sessionId, "unwritten")].forEach((each) => each.clear());
    return after.answer;
  }
  openStopCounts(tools, sessionId, "unwritten").clear();
  const limits = { blocksMax: tools.host.blocksMax(tools.env), blocksRemedy: tools.host.blocksRemedy };
  const told = { isContinued: event.isContinued, hasUsedTools: turn.hasUsedTools, ...limits };
  const sent = sendBack(counts.read(), { prompt: after.prompt, line: after.line, ...told });
  counts.write(sent.counts, offset);
  return sent.answer;
}

const believing: SessionChecks = {
  count: 0,
  run: ({ contractHash }) => Promise.resolve(believedVerdicts(contractHash)),
};

/** The agent's own words of the turn, for what a criterion looks for in them. */
function wordsOf({ messages }: TranscriptTurn): string {
  const own = messages.filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}

/**
 * The messages of the iteration in progress, behind a blank for each one before it: the loop counts messages, and what
 * came before is not read again.
 */
async function readTurn(
  record: SessionRecord,
  event: HostEvent,
  from: TranscriptOffset | null,
): Promise<{ turn: TranscriptTurn; offset: TranscriptOffset | null }> {
  const { loop, mark } = record;
  const turn = await readWithLastWords(event, turnBeganAt(loop), from);
  // What the host writes from now on belongs to the next turn, unless its time says otherwise.
  const offset = event.transcript.readOffset(Date.parse(loop.startedAt), from);
  const blanks = Array.from({ length: mark ?? 0 }, (): SessionMessage => ({ role: "system" }));
  return { turn: { ...turn, messages: [...blanks, ...turn.messages] }, offset };
}

/** The record lags behind: the last words are what the host says, else they are waited for a little. */
async function readWithLastWords(
  event: HostEvent,
  since: number,
  from: TranscriptOffset | null,
): Promise<TranscriptTurn> {
  let turn = event.transcript.readSince(since, from);
  for (let tries = 0; tries < lagTriesMax && event.lastMessage === null && !hasLastWords(turn); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, lagWaitMs));
    turn = event.transcript.readSince(since, from);
  }
  const { messages } = turn;
  const last = messages.at(-1);
  const isThere = last?.role === "assistant" && (event.lastMessage === null || textOf(last) === event.lastMessage);
  if (isThere) return turn;
  // Also without a word: that the agent has stopped is certain.
  return { ...turn, messages: [...messages, { role: "assistant", content: event.lastMessage ?? "" }] };
}

function hasLastWords({ messages }: TranscriptTurn): boolean {
  const last = messages.at(-1);
  return last?.role === "assistant" && textOf(last).trim() !== "";
}

/** Half a second in all: the record was seen to lag by less. */
const lagTriesMax = 5;
const lagWaitMs = 100;
