import type { RalphLoopState } from "../../../core/session/loop/loop-state.ts";
import { readSessionMessages } from "../../../core/session/read-messages.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import type { Messages } from "../../../core/session/session-turn.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import type { Clock } from "../../ports.ts";
import { askHost, type SessionHost } from "../../sessions/session-host.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { type Stepped, stepSession } from "./session-step.ts";

/** The ports of a driver, and what it knows of each session while it lives. */
export type Driver = {
  store: SessionStore;
  clock: Clock;
  host: SessionHost;
  lives: Map<string, Live>;
  /** Ended loops whose end could not be stored: they stay ended. */
  ended: Set<string>;
  isClosed: boolean;
};

/** One session, as long as this driver lives. All of it can be lost. */
export type Live = {
  queue: Promise<void>;
  isIdleQueued: boolean;
  /** Numbers what is heard, so that an idle older than the turn is told from its own. */
  heard: number;
  idleHeard: number;
  turnBegan: number;
  /** Messages before the prompt of the turn in flight. */
  promptedAfter: number | null;
  wait: { effectId: number; abort: AbortController; over: Promise<void> } | null;
  checks: AbortController | null;
};

/** What this driver knows of a session. */
export function liveOf(driver: Driver, sessionId: string): Live {
  const known = driver.lives.get(sessionId);
  if (known !== undefined) return known;
  const live: Live = {
    queue: Promise.resolve(),
    isIdleQueued: false,
    heard: 0,
    idleHeard: 0,
    turnBegan: 0,
    promptedAfter: null,
    wait: null,
    checks: null,
  };
  driver.lives.set(sessionId, live);
  return live;
}

/** The active loop of a session, if any. */
export function readActive(driver: Driver, sessionId: string): SessionRecord | null {
  const record = driver.store.read(sessionId);
  return record !== null && record.loop.active && !isEnded(driver, record.loop) ? record : null;
}

function isEnded(driver: Driver, loop: RalphLoopState): boolean {
  return driver.ended.has(nameOf(loop));
}

/** One loop, of all this session ever had. */
export function nameOf({ sessionId, startedAt }: RalphLoopState): string {
  return `${startedAt} ${sessionId}`;
}

/** Drops the wait and the checks of a session. */
export function dropWork(live: Live): void {
  live.wait?.abort.abort();
  live.checks?.abort();
  live.wait = null;
}

/** One thing at a time for each session. A fault of ralph is reported, and the host continues. */
export function enqueue(driver: Driver, sessionId: string, work: () => Promise<void>): Promise<void> {
  const live = liveOf(driver, sessionId);
  live.queue = live.queue.then(work).catch((error: unknown) => {
    const text = thrownText(error);
    driver.host.tell({ type: "fault", sessionId, what: "The loop met a fault of its own", error: text });
  });
  return live.queue;
}

/** One step of the engine; one that could not be stored is said aloud and has no effects (S0-38). */
export function step(driver: Driver, sessionId: string, news: Parameters<typeof stepSession>[2]): Stepped {
  const stepped = stepSession(driver, sessionId, (record) => (isEnded(driver, record.loop) ? null : news(record)));
  if (stepped.kind === "not-stored") driver.host.tell({ type: "not-stored", loop: stepped.record.loop });
  return stepped;
}

type StepNews = Parameters<typeof stepSession>[2];

/** News of one loop are not for another one that this session began since. */
export function same({ loop }: SessionRecord, news: StepNews): StepNews {
  return (now) => (now.loop.startedAt === loop.startedAt ? news(now) : null);
}

/** The session's messages, or null. */
export async function readMessages({ clock, host }: Driver, sessionId: string): Promise<Messages> {
  const answer = await askHost(clock, () => host.getMessages(sessionId));
  const messages = answer.isAnswered ? readSessionMessages(answer.value) : null;
  const error = answer.isAnswered ? "the host gave no list" : answer.error;
  if (messages === null) host.tell({ type: "fault", sessionId, what: "Messages could not be read", error });
  return messages;
}
