import { describe, expect, it } from "vitest";
import { sampleLoop as loop } from "../../../tests/session/sample-loop.ts";
import { continuationPrompt } from "./loop/continuation-prompt.ts";
import {
  idleInWait,
  isGone,
  judgeIdle,
  mayBeOrphan,
  messagesCounted,
  needsChange,
  personSpoke,
  turnEnded,
  turnGiven,
  verdictsOf,
  waitOver,
} from "./host-news.ts";
import { beginSession } from "./session-journal.ts";
import type { SessionMessage } from "./session-message.ts";
import type { SessionRecord } from "./session-record.ts";
import { isInjected } from "./session-turn.ts";
import { stepRecord } from "./step-session.ts";

const given = { directory: "/p", host: "h", continuationDelay: 500, criterionCount: 0, at: 7 };
const moment = { at: 9, upMs: 2 };
const atWork: SessionRecord = { ...beginSession(loop, { ...given, requireProgress: true }).record, mark: 0 };
const says = (content: string): SessionMessage => ({ role: "assistant", content });
const asks = (content: string): SessionMessage => ({ role: "user", content });
const claim = says("<promise>DONE</promise>");
const continuation = asks(continuationPrompt(loop, 2, []));
const end = { effectId: 1, messages: [says("Hi.")], isDoubted: false, hasWork: false, isTreeChanged: null };

/** The loop after its first turn, in the wait before the continuation. */
function waiting(): SessionRecord {
  const heard = turnEnded(atWork, end);
  return stepRecord(heard?.record ?? atWork, heard?.news ?? [], moment).record;
}

/** The order of the second turn. */
function ordered(): { record: SessionRecord; effect: Parameters<typeof turnGiven>[1]["effect"] } {
  const record = waiting();
  const fired = { type: "timer-fired" as const, effectId: record.run.pending?.id ?? 0 };
  const stepped = stepRecord(record, [fired], moment);
  const [effect] = stepped.effects;
  if (effect?.type !== "begin-turn") throw new Error("no turn was ordered");
  return { record: stepped.record, effect };
}

describe("messagesCounted", () => {
  const fresh = { ...atWork, mark: null };
  it("counts what was there before the loop, once (CW-0A)", () => {
    expect(messagesCounted(fresh, loop, [claim])?.mark).toBe(1);
    expect(messagesCounted(atWork, loop, [claim])).toBeNull();
    expect(messagesCounted(fresh, loop, null)).toBeNull();
    expect(messagesCounted(fresh, { ...loop, startedAt: "2026-11-15T13:00:00.000Z" }, [claim])).toBeNull();
  });
});

describe("judgeIdle", () => {
  const seen = { isEarly: false, promptedAfter: null };
  it("is about the turn in flight, a wait, or an order that was lost", () => {
    expect(judgeIdle(atWork, [says("Hi.")], seen)).toEqual({ kind: "turn", effectId: 1, isDoubted: false });
    expect(judgeIdle(waiting(), [says("Hi.")], seen)).toMatchObject({ kind: "wait" });
    expect(judgeIdle(ordered().record, [says("Hi.")], seen)).toEqual({ kind: "lost-order" });
  });

  it("is doubted when it is older than the prompt, unless the agent has answered or the host failed (R-30)", () => {
    const early = { isEarly: true, promptedAfter: 1 };
    expect(judgeIdle(atWork, [asks("Fix it")], early)).toMatchObject({ isDoubted: true });
    expect(judgeIdle(atWork, [asks("Fix it"), says("Hi.")], early)).toMatchObject({ isDoubted: false });
    expect(judgeIdle({ ...atWork, hostError: "x" }, [asks("Fix it")], early)).toMatchObject({ isDoubted: false });
  });
});

describe("a wait", () => {
  it("ends with the next turn, or with another look when somebody spoke or promised (CW-0F, R-32)", () => {
    const news = (...later: SessionMessage[]) => waitOver(waiting(), [says("Hi."), ...later], 7).type;
    expect([news(), news(asks("Stop that")), news(claim)]).toEqual(["timer-fired", "turn-reopened", "turn-reopened"]);
  });

  it("is not ended by our own continuation, and not by an idle that was believed", () => {
    expect(personSpoke(waiting(), continuationPrompt(loop, 2, []))).toBeNull();
    expect(personSpoke(waiting(), "Stop that")?.news).toEqual([{ type: "turn-reopened" }]);
    expect(idleInWait(waiting(), [says("Hi.")]).news).toEqual([]);
    const doubted = { ...waiting(), idle: { count: 1, isDoubted: true } };
    expect(idleInWait(doubted, [says("Hi."), says("Done.")]).news).toEqual([{ type: "turn-reopened" }]);
  });
});

describe("a turn", () => {
  it("that is not in flight any more ends nothing", () =>
    expect(turnEnded(atWork, { ...end, effectId: 9 })).toBeNull());

  it("with work left behind, or a doubted end, is unsettled first (R-38)", () => {
    const heard = turnEnded(atWork, { ...end, hasWork: true, isDoubted: true });
    expect(heard?.news.map(({ type }) => type)).toEqual(["turn-unsettled", "turn-unsettled", "turn-ended"]);
  });

  it("needs a change only where it claims", () => {
    expect([needsChange(atWork, [claim]), needsChange(atWork, [says("Hi.")])]).toEqual([true, false]);
  });

  it("begins with the continuation, or ends with a promise that came before it (R-32)", () => {
    const { record, effect } = ordered();
    const before = [says("Hi.")];
    const began = turnGiven(record, { effect, before, now: [...before, continuation], wasGiven: false });
    expect([began.isLate, began.news[0]?.type, began.record.mark]).toEqual([false, "turn-started", 1]);
    const late = { effect, before, now: [...before, claim, continuation], wasGiven: false };
    expect(turnGiven(record, late)).toMatchObject({ isLate: true, news: [{ type: "turn-ended" }] });
    expect(turnGiven(record, { ...late, wasGiven: true }).isLate).toBe(false);
  });

  it("whose continuation stands in the session already is found there (R-33)", () => {
    const { record } = ordered();
    expect(isInjected(record, 2, [says("Hi."), continuation])).toBe(true);
    expect(isInjected(record, 2, [says("Hi.")])).toBe(false);
  });
});

describe("verdictsOf", () => {
  it.each([
    ["could not be run", { isAnswered: false as const, error: "x" }, [false, false]],
    ["gave all verdicts", { isAnswered: true as const, value: [{ isPassed: true }, { isPassed: true }] }, [true, true]],
    ["gave fewer", { isAnswered: true as const, value: [{ isPassed: true }] }, [true, false]],
  ])("of checks that %s: a check that gave no verdict is red", (_, answer, expected) =>
    expect(verdictsOf(answer, { count: 2 }).map(({ isPassed }) => isPassed)).toEqual(expected),
  );
});

describe("mayBeOrphan", () => {
  const asking = { name: "h", directory: "/p", sessionId: "s2" };
  it.each<[string, Partial<typeof asking>, boolean]>([
    ["another session of the same host and directory", {}, true],
    ["another program (R-20)", { name: "other" }, false],
    ["another directory", { directory: "/q" }, false],
    ["the asking session itself", { sessionId: "s1" }, false],
  ])("of %s", (_, change, expected) => expect(mayBeOrphan(atWork, { ...asking, ...change })).toBe(expected));
});

describe("isGone", () => {
  const hour = 3_600_000;
  it.each<[string, boolean | null, number, boolean]>([
    ["that its host does not know any more (R-22)", false, 25 * hour, true],
    ["of the last day", false, 23 * hour, false],
    ["that its host knows", true, 25 * hour, false],
    ["of which nobody can tell (R-22)", null, 25 * hour, false],
  ])("of a session %s", (_, isKnown, age, expected) =>
    expect(isGone(atWork, isKnown, Date.parse(loop.startedAt) + age)).toBe(expected),
  );
});
