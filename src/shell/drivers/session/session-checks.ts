import type { Effect } from "../../../core/run/effect.ts";
import { verdictsOf } from "../../../core/session/host-news.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { plainAnswer } from "../../gates/gate-answer.ts";
import { askHost } from "../../sessions/session-host.ts";
import { type Driver, liveOf, same, step } from "./session-life.ts";
import type { Stepped } from "./session-step.ts";

/** Runs the criteria of a claim. Checks that cannot be run are red: nothing unverified completes. */
export async function performChecks(
  driver: Driver,
  record: SessionRecord,
  effect: Extract<Effect, { type: "run-gate" }>,
): Promise<Stepped> {
  const { sessionId } = record.loop;
  const { checks } = driver.host;
  const { iteration, wallMs } = effect;
  const abort = new AbortController();
  const live = liveOf(driver, sessionId);
  live.checks = abort;
  const run = () => checks?.run({ sessionId, iteration, wallMs, signal: abort.signal }) ?? Promise.resolve(null);
  const answer = await askHost(driver.clock, run, (wallMs ?? wallMsWithoutLimit) + graceMs);
  abort.abort();
  live.checks = null;
  const isKnown = checks !== null || !answer.isAnswered;
  const found = isKnown ? answer : { isAnswered: false as const, error: "no checks are known here" };
  const verdicts = verdictsOf(found, effect.slot);
  const finished = { type: "gate-finished" as const, effectId: effect.id };
  return step(
    driver,
    sessionId,
    same(record, (now) => ({ record: now, news: [{ ...finished, ...plainAnswer(verdicts) }] })),
  );
}

/** The checks keep their own limit; this much later they are given up. */
const graceMs = 5000;

const wallMsWithoutLimit = 3_600_000;
