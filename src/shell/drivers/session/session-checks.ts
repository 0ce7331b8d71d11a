import type { SessionRecord } from "../../../core/session/session-record.ts";
import { plainAnswer } from "../../../core/run/gate-answer.ts";
import { askChecks, type GateRequest } from "./ask-checks.ts";
import { type Driver, liveOf, same, step } from "./session-life.ts";
import type { Stepped } from "./session-step.ts";

/** Runs the criteria of a claim in a living host, which can drop them. */
export async function performChecks(driver: Driver, record: SessionRecord, effect: GateRequest): Promise<Stepped> {
  const { sessionId } = record.loop;
  const { checks } = driver.host;
  const abort = new AbortController();
  const live = liveOf(driver, sessionId);
  live.checks = abort;
  const verdicts = await askChecks({ checks, clock: driver.clock, record }, effect, abort.signal);
  abort.abort();
  live.checks = null;
  const finished = { type: "gate-finished" as const, effectId: effect.id };
  return step(
    driver,
    sessionId,
    same(record, (now) => ({ record: now, news: [{ ...finished, ...plainAnswer(verdicts) }] })),
  );
}
