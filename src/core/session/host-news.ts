import { emptyReport } from "../agents/turn-report.ts";
import { countOfSlot } from "../contract/session-checks.ts";
import type { Effect } from "../run/effect.ts";
import type { Verdict } from "../verification/verdict.ts";
import { continuationHeading } from "./loop/continuation-prompt.ts";
import type { RalphLoopState } from "./loop/loop-state.ts";
import { readVerdicts, redVerdict } from "./read-verdicts.ts";
import { type SessionRecord, unknownHost } from "./session-record.ts";
import {
  hasAnswered,
  hasPersonSpoken,
  isContinuation,
  isUnanswered,
  lateReport,
  type Messages,
  reportTurn,
  turnBeganAt,
} from "./session-turn.ts";
import type { News } from "../run/news.ts";

/** What a host tells of its session becomes: the record with what was seen, and news for the engine. */
export type Heard = { record: SessionRecord; news: News[] };

/** A loop that begins while its host may say things: what was there before claims nothing (CW-0A). */
export function messagesCounted(
  record: SessionRecord | null,
  { startedAt }: RalphLoopState,
  messages: Messages,
): SessionRecord | null {
  // A count that comes late must not replace a newer one.
  const isSame = record?.loop.startedAt === startedAt && record.loop.iteration === 1 && record.mark === null;
  return isSame && messages !== null ? { ...record, mark: messages.length } : null;
}

/** The host met an error; it may recover by itself. */
export function hostFailed(record: SessionRecord, message: string): Heard {
  return { record: { ...record, hostError: message }, news: [{ type: "turn-unsettled", because: "error" }] };
}

/** Somebody spoke in the session. Null: it was our own continuation. */
export function personSpoke(record: SessionRecord, text: string): Heard | null {
  if (isContinuation(text)) return null;
  return { record: { ...record, idle: null }, news: [{ type: "turn-reopened" }] };
}

/**
 * What an idle is about: the turn in flight, whose end is doubted while its prompt is the last word or the idle is older
 * than the prompt; a wait; or an order that was lost with the driver that had it.
 */
export type IdleOf =
  | { kind: "turn"; effectId: number; isDoubted: boolean }
  | { kind: "wait"; effectId: number }
  | { kind: "lost-order" };

/** Judges an idle. `isEarly`: the host said it before the prompt of this turn was given. */
export function judgeIdle(
  record: SessionRecord,
  messages: Messages,
  { isEarly, promptedAfter }: { isEarly: boolean; promptedAfter: number | null },
): IdleOf {
  const { pending, turnProcess } = record.run;
  if (pending?.type === "set-timer") return { kind: "wait", effectId: pending.id };
  const isInFlight = pending?.type === "begin-turn" && (pending.isRecheck || turnProcess !== null);
  if (!isInFlight) return { kind: "lost-order" };
  const isDoubted = isUnanswered(record, messages) || (isEarly && !hasAnswered(messages, promptedAfter));
  return { kind: "turn", effectId: pending.id, isDoubted: isDoubted && record.hostError === null };
}

/** The order in flight was lost with the driver that had it; the engine gives it again. */
export const orderLost: News = {
  type: "run-resumed",
  lostSpend: null,
  answer: null,
  change: {},
  missed: null,
  begin: null,
};

/** A wait continues, unless it waited for a reliable idle event: this is one. */
export function idleInWait(record: SessionRecord, messages: Messages): Heard {
  const idle = { count: messages?.length ?? null, isDoubted: false };
  const isBelieved = record.idle?.isDoubted === true && !isUnanswered(record, messages);
  if (isBelieved) return { record: { ...record, idle }, news: [{ type: "turn-reopened" }] };
  return { record: { ...record, idle: record.idle?.isDoubted === true ? record.idle : idle }, news: [] };
}

/** How a turn of a host ended. `hasWork`: something is left running that will wake the agent. */
export type TurnEnd = {
  effectId: number;
  messages: Messages;
  isDoubted: boolean;
  hasWork: boolean;
  isTreeChanged: boolean | null;
};

/** Null: the turn is not in flight any more. */
export function turnEnded(record: SessionRecord, end: TurnEnd): Heard | null {
  const { effectId, messages, isDoubted, hasWork, isTreeChanged } = end;
  if (record.run.pending?.id !== effectId) return null;
  const count = messages?.length ?? null;
  const unsettled = [...(hasWork ? ["background" as const] : []), ...(isDoubted ? ["silence" as const] : [])];
  return {
    record: { ...record, judgedCount: count ?? record.judgedCount ?? record.mark, idle: { count, isDoubted } },
    news: [
      ...unsettled.map((because) => ({ type: "turn-unsettled" as const, because })),
      { type: "turn-ended", effectId, report: { ...reportTurn(record, messages), isTreeChanged } },
    ],
  };
}

/** Whether a claim of this turn is refused as long as nothing has changed: only then is the tree looked at. */
export function needsChange(record: SessionRecord, messages: Messages): boolean {
  return record.run.policy.requireProgress && reportTurn(record, messages).claims.isPromised;
}

/** Whether a claim may count on a change. `told`: what the host says of it; where nobody can tell, no claim is refused. */
export function isChangeLikely(told: unknown): boolean {
  return told !== false;
}

/** A wait is over, unless a person spoke (CW-0F) or a promise came meanwhile. */
export function waitOver(record: SessionRecord, messages: Messages, effectId: number): News {
  const isReopened = hasPersonSpoken(record, messages) || lateReport(record, messages, null) !== null;
  return isReopened ? { type: "turn-reopened" } : { type: "timer-fired", effectId };
}

/** A continuation that stands in the session. `wasGiven`: from before a restart, so it is not given twice. */
export type Given = {
  effect: Extract<Effect, { type: "begin-turn" }>;
  before: Messages;
  now: Messages;
  wasGiven: boolean;
};

/** The next turn began, unless the agent promised before it could know of the continuation: `isLate`. */
export function turnGiven(record: SessionRecord, given: Given): Heard & { isLate: boolean } {
  const { effect, before, now, wasGiven } = given;
  const effectId = effect.id;
  const late = wasGiven ? null : lateReport(record, now, continuationHeading(record.loop, effect.iteration));
  if (late !== null) {
    const judgedCount = now?.length ?? record.judgedCount;
    const ended = { type: "turn-ended" as const, effectId, report: late };
    return { record: { ...record, judgedCount }, news: [ended], isLate: true };
  }
  const mark = record.judgedCount ?? before?.length ?? record.mark;
  const started = { type: "turn-started" as const, effectId, pid: 0, startTime: "" };
  return { record: { ...record, mark, idle: null, hostError: null }, news: [started], isLate: false };
}

/** The host did not take a continuation. */
export function turnNotGiven(effectId: number, error: string): News {
  const report = { ...emptyReport, startError: { kind: "prompt" as const, message: error } };
  return { type: "turn-ended", effectId, report };
}

/** The verdicts of a host's checks. What could not be run, or gave fewer verdicts than checks, is red. */
export function verdictsOf(
  answer: { isAnswered: true; value: unknown } | { isAnswered: false; error: string },
  slot: unknown,
): Verdict[] {
  const given = answer.isAnswered
    ? readVerdicts(answer.value)
    : [redVerdict(`the checks could not be run: ${answer.error}`)];
  const missing = countOfSlot(slot) - given.length;
  return missing > 0 ? [...given, redVerdict(`${missing} of the checks gave no verdict`)] : given;
}

/** Whether a loop is one that this host can tell to be gone: of its own, in its directory, in another session. */
export function mayBeOrphan(
  { loop, directory, host }: SessionRecord,
  asking: { name: string | undefined; directory: string; sessionId: string },
): boolean {
  const isOurs = directory === asking.directory && host === (asking.name ?? unknownHost);
  return isOurs && loop.sessionId !== asking.sessionId && loop.active;
}

/**
 * Whether nobody will come back to a session. `isKnown`: the host has a record of it; null: nobody can tell. A session
 * that has just begun has no record yet, and some never have one: a loop of the last day is somebody's.
 */
export function isGone({ loop }: SessionRecord, isKnown: boolean | null, now: number): boolean {
  return isKnown === false && now - turnBeganAt(loop) >= dayMs;
}

const dayMs = 24 * 3_600_000;
