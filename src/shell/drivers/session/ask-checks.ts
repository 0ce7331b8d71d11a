import type { Effect } from "../../../core/run/effect.ts";
import { verdictsOf } from "../../../core/session/host-news.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import type { Verdict } from "../../../core/verification/verdict.ts";
import type { Clock } from "../../ports.ts";
import { askHost, type SessionChecks } from "../../sessions/session-host.ts";

/** The order to ask a session's checks. */
export type GateRequest = Extract<Effect, { type: "run-gate" }>;

/** Asks the checks of a session. Those that cannot be run are red: nothing unverified completes. */
export async function askChecks(
  { checks, clock, record }: { checks: SessionChecks | null; clock: Clock; record: SessionRecord },
  { iteration, wallMs, slot }: GateRequest,
  signal: AbortSignal,
): Promise<Verdict[]> {
  if (checks === null) return verdictsOf({ isAnswered: false, error: "no checks are known here" }, slot);
  const { sessionId } = record.loop;
  const { hash: contractHash } = record.run.policy.contract;
  const run = () => checks.run({ sessionId, iteration, wallMs, signal, contractHash });
  return verdictsOf(await askHost(clock, run, (wallMs ?? wallMsWithoutLimit) + graceMs), slot);
}

/** The checks keep their own limit; this much later they are given up. */
const graceMs = 5000;

const wallMsWithoutLimit = 3_600_000;
