import { hostErrorText } from "../../../core/session/host-error-text.ts";
import type { Effect } from "../../../core/run/effect.ts";
import { continuationPrompt } from "../../../core/session/loop/continuation-prompt.ts";
import { type Given, turnGiven, turnNotGiven } from "../../../core/session/host-news.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { isInjected } from "../../../core/session/session-turn.ts";
import { askHost } from "../../sessions/session-host.ts";
import { type Driver, liveOf, readMessages, same, step } from "./session-life.ts";
import { nothingStepped, type Stepped } from "./session-step.ts";

/**
 * Gives a continuation, then counts it (CW-0G). The order was stored before; one that a restart lost is found again in
 * the session's messages and not given twice.
 */
export async function dispatchTurn(
  driver: Driver,
  ordered: SessionRecord,
  effect: Extract<Effect, { type: "begin-turn" }>,
): Promise<Stepped> {
  const { sessionId } = ordered.loop;
  const before = await readMessages(driver, sessionId);
  // Whatever happened since the order, a cancel above all, is in the store (CW-0F).
  const record = driver.store.read(sessionId);
  if (record?.loop.startedAt !== ordered.loop.startedAt || record.run.pending?.id !== effect.id) return nothingStepped;
  const wasGiven = isInjected(record, effect.iteration, before);
  const error = wasGiven ? null : await give(driver, record, effect);
  if (error !== null) return failTurn(driver, record, { effectId: effect.id, error });
  const now = wasGiven ? before : await readMessages(driver, sessionId);
  return countTurn(driver, record, { effect, before, now, wasGiven });
}

/** Null: the agent has the prompt. A host that does not answer in time may have taken it all the same. */
async function give(
  driver: Driver,
  record: SessionRecord,
  { iteration, feedback }: Extract<Effect, { type: "begin-turn" }>,
): Promise<string | null> {
  const { sessionId } = record.loop;
  const prompt = continuationPrompt(record.loop, iteration, feedback);
  const answer = await askHost(driver.clock, () => driver.host.inject(sessionId, prompt));
  if (answer.isAnswered) return errorIn(answer.value);
  if (!answer.isLate) return answer.error;
  return isInjected(record, iteration, await readMessages(driver, sessionId)) ? null : answer.error;
}

/** Some hosts return their errors. */
function errorIn(value: unknown): string | null {
  if (value instanceof Error) return hostErrorText(value);
  if (typeof value !== "object" || value === null || !("error" in value)) return null;
  return value.error === undefined || value.error === null || value.error === false ? null : hostErrorText(value.error);
}

function failTurn(
  driver: Driver,
  record: SessionRecord,
  { effectId, error }: { effectId: number; error: string },
): Stepped {
  const news = same(record, (now) => ({ record: now, news: [turnNotGiven(effectId, error)] }));
  const stepped = step(driver, record.loop.sessionId, news);
  if (stepped.kind === "stepped" && stepped.effects.some(({ type }) => type === "end-run"))
    driver.host.tell({ type: "not-injected", loop: stepped.record.loop, error });
  // The end is told already, with its reason.
  return nothingStepped;
}

function countTurn(driver: Driver, record: SessionRecord, given: Given): Stepped {
  const { sessionId } = record.loop;
  const seen = { isLate: false };
  const news = same(record, (now) => {
    const heard = turnGiven(now, given);
    seen.isLate = heard.isLate;
    return heard;
  });
  const stepped = step(driver, sessionId, news);
  if (seen.isLate || stepped.kind !== "stepped") return stepped;
  const live = liveOf(driver, sessionId);
  live.turnBegan = live.heard += 1;
  live.promptedAfter = given.before?.length ?? null;
  driver.host.tell({ type: "continuing", loop: stepped.record.loop });
  return stepped;
}
