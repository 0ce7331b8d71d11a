import { toastOf } from "../../core/session/loop-notice.ts";
import { believedVerdict } from "../../core/session/read-verdicts.ts";
import { type SessionMessage, textOf } from "../../core/session/session-message.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { roles } from "../../core/tasks/role.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import { countBlock, openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { openCriteria } from "./criteria.ts";
import type { HookTools } from "./hook-tools.ts";
import type { HookAnswer, HostEvent, TranscriptTurn } from "./host-event.ts";
import { openSessionLoop, type SessionLoop } from "./session-loop.ts";

/**
 * Tells the loop that its session is idle; what it would inject is the reason why the agent may not stop. A fault: the
 * loop's state could not be stored, so it decided nothing.
 */
export async function continueLoop(
  record: SessionRecord,
  event: HostEvent,
  tools: HookTools,
): Promise<HookAnswer | { fault: string }> {
  const { sessionId } = event;
  const turn = await readTurn(record, event);
  const hasChecks = record.run.policy.gates.length > 0;
  const order = { isLoop: true, isLiving: true, turnText: wordsOf(turn) };
  const criteria = hasChecks ? await openCriteria(event, tools, order) : null;
  // A loop of an earlier version may count criteria that the claim alone meets.
  const checks = criteria?.checks ?? (hasChecks ? believing : null);
  const loop = openSessionLoop(event, tools, { messages: turn.messages, checks });
  // A wait that an earlier process began is over: whatever woke the agent, it has stopped again.
  if (record.run.pending?.type === "set-timer") await loop.driver.tell(sessionId, { type: "person-spoke", text: "" });
  await loop.driver.tell(sessionId, { type: "idle" });
  if (isWaiting(loop, event)) {
    loop.driver.close();
    return { notice: `Ralph loop: waits for ${event.pendingWork.join(", ")}, then goes on.` };
  }
  await loop.driver.settled();
  loop.driver.close();
  const prompt = loop.prompts.at(-1);
  const [fault] = loop.faults;
  const isDecided = prompt !== undefined || loop.notices.some(({ type }) => type === "ended");
  if (fault !== undefined && !isDecided) return { fault };
  openStopCounts(tools, sessionId, "unwritten").clear();
  if (prompt === undefined) return endOf(loop, event, tools);
  return sendBack(prompt, { event, tools, isRow: event.isContinued && !turn.hasUsedTools });
}

/** A criterion for each role at most. */
const believing: SessionChecks = { count: 0, run: () => Promise.resolve(roles.map(() => believedVerdict)) };

/** The agent's own words of the turn, for what a criterion looks for in them. */
function wordsOf({ messages }: TranscriptTurn): string {
  const own = messages.filter(({ role }) => role === "assistant");
  return own.map(textOf).join("\n");
}

/** What is left running wakes the agent when it is done, and the next stop asks again. */
function isWaiting({ store }: SessionLoop, event: HostEvent): boolean {
  if (event.pendingWork.length === 0) return false;
  return store.read(event.sessionId)?.run.pending?.type === "set-timer";
}

function endOf(loop: SessionLoop, event: HostEvent, tools: HookTools): HookAnswer {
  openStopCounts(tools, event.sessionId).clear();
  const toast = loop.notices.map(toastOf).findLast((each) => each !== null);
  return toast === undefined || toast === null ? {} : { notice: `${toast.title} ${toast.message}` };
}

type Sending = { event: HostEvent; tools: HookTools; isRow: boolean };

/** A host that ends the turn all the same is not asked; the person hears why the loop pauses. */
function sendBack(prompt: string, { event, tools, isRow }: Sending): HookAnswer {
  const { host, env } = tools;
  const counts = openStopCounts(tools, event.sessionId);
  const before = counts.read();
  const blocksMax = host.blocksMax(env);
  if (blocksMax !== null && isRow && before.blocks >= blocksMax) {
    counts.write({ ...before, blocks: 0, isUndelivered: true });
    const why = `the host ends a turn after ${blocksMax} blocked stops in a row without a tool call`;
    return { notice: `Ralph loop paused: ${why}. Say anything to go on; to change it, ${host.blocksRemedy}.` };
  }
  counts.write(countBlock(before, { reason: prompt, isRow }));
  return { block: prompt };
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
