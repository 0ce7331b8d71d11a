import { type LoopNotice, toastOf } from "../../../core/session/loop-notice.ts";
import { believedVerdict } from "../../../core/session/read-verdicts.ts";
import { type SessionMessage, textOf } from "../../../core/session/session-message.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { sendBack } from "../../../core/session/stop-counts.ts";
import { roles } from "../../../core/tasks/role.ts";
import { passStop, type StopEnd } from "../../../shell/drivers/session/stop-pass.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import type { SessionStore } from "../../../shell/sessions/session-store.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import { openStopCounts } from "../../../shell/sessions/stop-counts.ts";
import { openCriteria } from "../criteria/criteria.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent, TranscriptTurn } from "../event/host-event.ts";
import { logLoop } from "./session-loop.ts";
import { hasChangedSinceStart } from "../criteria/tree-mark.ts";

/** What a stop of a loop comes to, and how often the agent was sent back. A fault: its state could not be stored. */
export async function continueLoop(
  record: SessionRecord,
  store: SessionStore,
  { event, tools }: { event: HostEvent; tools: HookTools },
): Promise<HookAnswer | "not-stored"> {
  const { sessionId, pendingWork } = event;
  const turn = await readTurn(record, event);
  const hasChecks = record.run.policy.gates.length > 0;
  const order = { isLoop: true, isLiving: true, turnText: wordsOf(turn) };
  const criteria = hasChecks ? await openCriteria(event, tools, order) : null;
  const end = await passStop(
    {
      sessionId,
      store,
      clock: realClock,
      // A loop of an earlier version may count criteria that the claim alone meets.
      checks: criteria?.checks ?? (hasChecks ? believing : null),
      messages: turn.messages,
      hasWork: pendingWork.length > 0,
      hasChanged: () => hasChangedSinceStart(event, tools),
    },
    record,
  );
  const notice = noticeOf(end);
  if (notice !== null) logLoop(tools, notice);
  if (end.kind === "not-stored") return "not-stored";
  if (end.kind === "waiting") return { notice: `Ralph loop: waits for ${pendingWork.join(", ")}, then continues.` };
  openStopCounts(tools, sessionId, "unwritten").clear();
  const counts = openStopCounts(tools, sessionId);
  if (end.kind === "sent-back") {
    const { host, env } = tools;
    const limits = { blocksMax: host.blocksMax(env), blocksRemedy: host.blocksRemedy };
    const told = { isContinued: event.isContinued, hasUsedTools: turn.hasUsedTools, ...limits };
    const sent = sendBack(counts.read(), { prompt: end.prompt, ...told });
    counts.write(sent.counts);
    return sent.answer;
  }
  counts.clear();
  const toast = notice === null ? null : toastOf(notice);
  return toast === null ? {} : { notice: `${toast.title} ${toast.message}` };
}

function noticeOf(end: StopEnd): LoopNotice | null {
  const { loop } = end;
  switch (end.kind) {
    case "sent-back":
      return { type: "continuing", loop };
    case "ended":
      return { type: "ended", loop, outcome: end.outcome };
    case "not-stored":
      return { type: "not-stored", loop };
    case "waiting":
    case "gone":
      return null;
  }
}

/** A criterion for each role at most. */
const believing: SessionChecks = { count: 0, run: () => Promise.resolve(roles.map(() => believedVerdict)) };

/** The agent's own words of the turn, for what a criterion looks for in them. */
function wordsOf({ messages }: TranscriptTurn): string {
  const own = messages.filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}

/**
 * The messages of the iteration in progress, behind a blank for each one before it: the loop counts messages, and what
 * came before is not read again.
 */
async function readTurn(record: SessionRecord, event: HostEvent): Promise<TranscriptTurn> {
  const { loop, mark } = record;
  const since = Date.parse(loop.lastIterationAt ?? loop.startedAt);
  const turn = await readWithLastWords(event, since);
  const blanks = Array.from({ length: mark ?? 0 }, (): SessionMessage => ({ role: "system" }));
  return { ...turn, messages: [...blanks, ...turn.messages] };
}

/** The record lags behind: the last words are what the host says, else they are waited for a little. */
async function readWithLastWords(event: HostEvent, since: number): Promise<TranscriptTurn> {
  let turn = event.transcript.readSince(since);
  for (let tries = 0; tries < lagTriesMax && event.lastMessage === null && !hasLastWords(turn); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, lagWaitMs));
    turn = event.transcript.readSince(since);
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
