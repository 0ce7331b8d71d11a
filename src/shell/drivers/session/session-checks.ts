import { countOfSlot } from "../../../core/contract/session-checks.ts";
import type { Effect } from "../../../core/run/effect.ts";
import { readVerdicts, redVerdict } from "../../../core/session/read-verdicts.ts";
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
  const error = answer.isAnswered ? "no checks are known here" : answer.error;
  const isRun = checks !== null && answer.isAnswered;
  const given = isRun ? readVerdicts(answer.value) : [redVerdict(`the checks could not be run: ${error}`)];
  const missing = countOfSlot(effect.slot) - given.length;
  const verdicts = missing > 0 ? [...given, redVerdict(`${missing} of the checks gave no verdict`)] : given;
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
