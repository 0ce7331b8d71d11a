import { unknownContract } from "../../../core/contract/session-checks.ts";
import { assert } from "../../../core/assert.ts";
import type { Effect } from "../../../core/run/effect.ts";
import type { RalphLoopState } from "../../../core/session/loop/loop-state.ts";
import {
  hostFailed,
  idleInWait,
  judgeIdle,
  mayBeOrphan,
  messagesCounted,
  isChangeLikely,
  needsChange,
  orderLost,
  personSpoke,
  turnEnded,
  waitOver,
} from "../../../core/session/host-news.ts";
import { cancelSession, seenChange } from "../../../core/session/session-journal.ts";
import { type SessionRecord, unknownHost } from "../../../core/session/session-record.ts";
import { hasMoved, type Messages } from "../../../core/session/session-turn.ts";
import { askHost, type SessionChecks } from "../../sessions/session-host.ts";
import { performChecks } from "./session-checks.ts";
import { dispatchTurn } from "./session-dispatch.ts";
import {
  type Driver,
  dropWork,
  enqueue,
  type Live,
  liveOf,
  nameOf,
  readActive,
  readMessages,
  same,
  step,
} from "./session-life.ts";
import type { Stepped } from "./session-step.ts";
import { storeLoop } from "./store-loop.ts";

/** What a host tells of one of its sessions. */
export type HostNews =
  | { type: "idle" }
  | { type: "error"; message: string }
  | { type: "abort" }
  | { type: "deleted" }
  | { type: "person-spoke"; text: string };

/** Performs the engine's orders inside living sessions. Nothing here throws or rejects: a hook never breaks its host. */
export type InSessionDriver = {
  /** The loop's first prompt is the caller's to give. False: it could not be stored. */
  start(loop: RalphLoopState, options: { directory: string; continuationDelay: number }): boolean;
  /** False: there is no such loop. */
  cancel(sessionId: string): boolean;
  /** Settles when the news is handled and its effects are done, except for waits. */
  tell(sessionId: string, news: HostNews): Promise<void>;
  /** Settles when all news of one session so far is handled; waits may continue. */
  heard(sessionId: string): Promise<void>;
  /** Settles when nothing is at work and nothing waits. */
  settled(): Promise<void>;
  /** Drops every wait; the loops stay stored and continue with the next idle event of their session. */
  close(): void;
};

/** Makes a driver. Two of them on one store are safe: each step is a transaction, and a stale answer changes nothing. */
export function createInSessionDriver(ports: Pick<Driver, "store" | "clock" | "host">): InSessionDriver {
  const driver: Driver = { ...ports, lives: new Map(), ended: new Set(), isClosed: false };
  return {
    start: (loop, options) => startLoop(driver, loop, options),
    cancel: (sessionId) => endLoop(driver, sessionId, "cancel"),
    tell: (sessionId, news) => hear(driver, sessionId, news),
    heard: (sessionId) => driver.lives.get(sessionId)?.queue ?? Promise.resolve(),
    settled: () => settle(driver),
    close: () => {
      driver.isClosed = true;
      for (const live of driver.lives.values()) dropWork(live);
    },
  };
}

function startLoop(
  driver: Driver,
  loop: RalphLoopState,
  options: { directory: string; continuationDelay: number },
): boolean {
  const { host } = driver;
  const given = {
    ...options,
    host: host.name ?? unknownHost,
    criterionCount: countOf(host.checks, loop.sessionId),
    contract: host.checks?.contract?.(loop.sessionId) ?? unknownContract,
    requireProgress: host.hasChanged !== undefined,
  };
  const type = storeLoop(driver, loop, given);
  if (type === null) return false;
  const live = liveOf(driver, loop.sessionId);
  dropWork(live);
  live.turnBegan = live.heard += 1;
  live.promptedAfter = null;
  host.tell({ type, loop });
  const reading = readMessages(driver, loop.sessionId);
  void enqueue(driver, loop.sessionId, async () => countMessages(driver, loop, await reading));
  return true;
}

function countOf(checks: SessionChecks | null, sessionId: string): number {
  const { count } = checks ?? { count: 0 };
  return typeof count === "number" ? count : count(sessionId);
}

function countMessages(driver: Driver, loop: RalphLoopState, messages: Messages): void {
  driver.store.change(loop.sessionId, (record) => {
    const counted = messagesCounted(record, loop, messages);
    return counted === null ? null : seenChange(counted);
  });
}

async function hear(driver: Driver, sessionId: string, news: HostNews): Promise<void> {
  const live = liveOf(driver, sessionId);
  live.heard += 1;
  switch (news.type) {
    case "idle":
      live.idleHeard = live.heard;
      if (live.isIdleQueued) return live.queue;
      live.isIdleQueued = true;
      return enqueue(driver, sessionId, () => hearIdle(driver, sessionId, live));
    case "error":
      step(driver, sessionId, (record) => hostFailed(record, news.message));
      return;
    case "abort":
    case "deleted":
      endLoop(driver, sessionId, news.type);
      return;
    case "person-spoke":
      carryOutNow(
        driver,
        step(driver, sessionId, (record) => personSpoke(record, news.text)),
      );
  }
}

function endLoop(driver: Driver, sessionId: string, by: "cancel" | "abort" | "deleted"): boolean {
  const stored = driver.store.read(sessionId);
  const stepped = step(driver, sessionId, (record) => ({
    record,
    news: [{ type: "asked", request: "cancel", seq: null }],
  }));
  const live = driver.lives.get(sessionId);
  if (live !== undefined) dropWork(live);
  if (stepped.kind === "none") return false;
  // What could not be removed must not come back to life.
  if (stepped.kind === "not-stored" && stored !== null) driver.ended.add(nameOf(stored.loop));
  const { loop } = stepped.record;
  if (by === "cancel") carryOutNow(driver, stepped);
  else driver.host.tell({ type: by === "abort" ? "aborted" : "deleted", loop });
  return true;
}

async function hearIdle(driver: Driver, sessionId: string, live: Live): Promise<void> {
  live.isIdleQueued = false;
  const isEarly = live.idleHeard < live.turnBegan;
  const record = readActive(driver, sessionId);
  if (record === null) return lookForOrphans(driver, sessionId);
  const messages = await readMessages(driver, sessionId);
  const idle = judgeIdle(record, messages, { isEarly, promptedAfter: live.promptedAfter });
  if (idle.kind === "turn") return endTurn(driver, record, { ...idle, messages });
  const isWaiting = idle.kind === "wait" && live.wait?.effectId === idle.effectId;
  if (!isWaiting) await resumeLoop(driver, record);
  if (idle.kind === "wait") await hearIdleInWait(driver, sessionId, messages);
}

async function hearIdleInWait(driver: Driver, sessionId: string, messages: Messages): Promise<void> {
  const record = readActive(driver, sessionId);
  if (record?.run.pending?.type !== "set-timer") return;
  const { reason } = record.run.pending;
  const stepped = step(
    driver,
    sessionId,
    same(record, (now) => idleInWait(now, messages)),
  );
  const isStillWaiting = stepped.kind === "stepped" && stepped.effects.length === 0;
  if (isStillWaiting && reason === "recovery") driver.host.tell({ type: "in-recovery", loop: record.loop });
  await carryOut(driver, stepped);
}

async function resumeLoop(driver: Driver, record: SessionRecord): Promise<void> {
  await carryOut(
    driver,
    step(
      driver,
      record.loop.sessionId,
      same(record, (now) => ({ record: now, news: [orderLost] })),
    ),
  );
}

type SeenEnd = { effectId: number; messages: Messages; isDoubted: boolean };

async function endTurn(driver: Driver, record: SessionRecord, end: SeenEnd): Promise<void> {
  const { sessionId } = record.loop;
  const hasWork = await hasPendingWork(driver, sessionId);
  const isTreeChanged = await hasChanged(driver, record, end.messages);
  const stepped = step(
    driver,
    sessionId,
    same(record, (now) => turnEnded(now, { ...end, hasWork, isTreeChanged })),
  );
  const isRecovering = stepped.kind === "stepped" && stepped.effects.some(isRecovery);
  if (isRecovering && !hasWork && !end.isDoubted) driver.host.tell({ type: "in-recovery", loop: record.loop });
  await carryOut(driver, stepped);
}

async function hasChanged(driver: Driver, record: SessionRecord, messages: Messages): Promise<boolean | null> {
  const ask = driver.host.hasChanged;
  if (ask === undefined || !needsChange(record, messages)) return null;
  const answer = await askHost<unknown>(driver.clock, () => ask(record.loop.sessionId));
  return isChangeLikely(answer.isAnswered ? answer.value : null);
}

function isRecovery(effect: Effect): boolean {
  return effect.type === "set-timer" && effect.reason === "recovery";
}

async function endWait(
  driver: Driver,
  sessionId: string,
  wait: { effectId: number; startedAt: string },
): Promise<void> {
  const record = readActive(driver, sessionId);
  const isMine = record?.loop.startedAt === wait.startedAt && record.run.pending?.id === wait.effectId;
  if (record === null || !isMine) return;
  const messages = await readMessages(driver, sessionId);
  const news = waitOver(record, messages, wait.effectId);
  await carryOut(
    driver,
    step(
      driver,
      sessionId,
      same(record, (now) => ({ record: now, news: [news] })),
    ),
  );
}

/** Another look at a turn: at once if the host is still idle, else when it says so the next time. */
async function lookAgain(driver: Driver, record: SessionRecord, effectId: number): Promise<void> {
  const { sessionId } = record.loop;
  if (record.idle === null) return;
  const messages = await readMessages(driver, sessionId);
  if (!hasMoved(record, messages)) return endTurn(driver, record, { effectId, messages, isDoubted: false });
  driver.store.change(sessionId, (now) => (now === null ? null : seenChange({ ...now, idle: null })));
}

/** Carries out what a step ordered, one after the other. */
async function carryOut(driver: Driver, stepped: Stepped): Promise<void> {
  if (stepped.kind !== "stepped") return;
  const { record } = stepped;
  for (const effect of stepped.effects) {
    switch (effect.type) {
      case "begin-turn":
        if (effect.isRecheck) await lookAgain(driver, record, effect.id);
        else await carryOut(driver, await dispatchTurn(driver, record, effect));
        break;
      case "run-gate":
        await carryOut(driver, await performChecks(driver, record, effect));
        break;
      case "set-timer":
        armWait(driver, record.loop, effect);
        break;
      case "cut":
      case "end-run":
        carryOutOne(driver, record, effect);
        break;
      case "deliver":
        assert(false, "a session has no delivery");
    }
  }
}

/** The part of the orders that needs no host: what follows from a person's word is done before the call returns. */
function carryOutNow(driver: Driver, stepped: Stepped): void {
  if (stepped.kind !== "stepped") return;
  for (const effect of stepped.effects)
    if (effect.type === "cut" || effect.type === "end-run") carryOutOne(driver, stepped.record, effect);
}

function carryOutOne(
  driver: Driver,
  { loop }: SessionRecord,
  effect: Extract<Effect, { type: "cut" | "end-run" }>,
): void {
  const live = liveOf(driver, loop.sessionId);
  dropWork(live);
  if (effect.type === "end-run") driver.host.tell({ type: "ended", loop, outcome: effect.outcome });
}

function armWait(driver: Driver, loop: RalphLoopState, effect: Extract<Effect, { type: "set-timer" }>): void {
  if (driver.isClosed) return;
  const { sessionId, startedAt } = loop;
  const live = liveOf(driver, sessionId);
  live.wait?.abort.abort();
  const abort = new AbortController();
  const passTime = async (): Promise<void> => {
    if (!(await driver.clock.wait(effect.durationMs, abort.signal))) return;
    void enqueue(driver, sessionId, () => {
      if (live.wait?.abort === abort) live.wait = null;
      return endWait(driver, sessionId, { effectId: effect.id, startedAt });
    });
  };
  const over = passTime();
  live.wait = { effectId: effect.id, abort, over };
}

async function lookForOrphans(driver: Driver, currentSessionId: string): Promise<void> {
  const { store, host, clock } = driver;
  if (host.directory === undefined) return;
  const asking = { name: host.name, directory: host.directory, sessionId: currentSessionId };
  for (const { loop } of store.list().filter((record) => mayBeOrphan(record, asking))) {
    const { exists } = host;
    const found = exists === null ? null : await askHost<unknown>(clock, () => exists(loop.sessionId));
    const isGone = found?.isAnswered === true && found.value === false;
    if (!isGone) host.tell({ type: "foreign", loop, currentSessionId });
    else if (endOrphan(driver, loop)) host.tell({ type: "orphaned", loop, currentSessionId });
  }
}

function endOrphan({ store, clock }: Driver, { sessionId, startedAt }: RalphLoopState): boolean {
  const moment = { at: clock.now(), upMs: clock.upMs() };
  return store.change(sessionId, (now) => (now?.loop.startedAt === startedAt ? cancelSession(now, moment) : null));
}

async function hasPendingWork({ clock, host }: Driver, sessionId: string): Promise<boolean> {
  const { hasPendingWork: ask } = host;
  if (ask === null) return false;
  const answer = await askHost(clock, () => ask(sessionId));
  return answer.isAnswered && answer.value;
}

async function settle(driver: Driver): Promise<void> {
  for (;;) {
    const work = [...driver.lives.values()].map((live) => ({ live, queue: live.queue, over: live.wait?.over }));
    await Promise.all(work.map(({ queue, over }) => (over === undefined ? queue : over.then(() => queue))));
    const isStill = work.every(({ live, queue }) => live.queue === queue && live.wait === null);
    if (isStill && work.length === driver.lives.size) return;
  }
}
