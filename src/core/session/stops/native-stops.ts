import { sessionBegin, type SessionContract, sessionGates } from "../../contract/session-checks.ts";
import { emptyReport } from "../../agents/turn-report.ts";
import { stopReasons } from "../../policies/equal-reasons.ts";
import type { Moment } from "../../run/observation.ts";
import { newRun } from "../../run/state.ts";
import { isVerified, verdictsOf } from "../../policies/gates.ts";
import type { Verdict } from "../../verification/verdict.ts";
import { orderLost } from "../host-news.ts";
import { stopsPolicy } from "../loop/loop-config.ts";
import type { SessionChange } from "../session-journal.ts";
import { nothingSeen, type SessionRecord, sessionVersion } from "../session-record.ts";
import type { News } from "../../run/news.ts";
import { type SteppedRecord, stepRecord } from "../step-session.ts";

/** A session without a loop of ours, whose stops the project's criteria judge. */
export type StopsStart = {
  sessionId: string;
  directory: string;
  host: string;
  criterionCount: number;
  contract: SessionContract;
  at: number;
};

/** Whether a session run is one without a loop. */
export function isStopsRun({ run }: Pick<SessionRecord, "run">): boolean {
  return run.policy.claimBy === "stop";
}

/** Whether a change is left to the loop of its session: one run per session, so that stops begin none beside it. */
export function isLeftToLoop(kind: "loop" | "stops", hasLoop: boolean): boolean {
  return kind === "stops" && hasLoop;
}

/** The first stop of a session that is judged. It has no loop: the record only says which session it is, and since when. */
export function beginStops({ sessionId, directory, host, criterionCount, contract, at }: StopsStart): SessionChange {
  const startedAt = new Date(at).toISOString();
  const none = { active: false, iteration: 1, maxIterations: 1, completionPromise: "none", prompt: "" };
  const policy = stopsPolicy(sessionGates(criterionCount, contract), contract.hash);
  const run = newRun(policy, sessionBegin(criterionCount));
  const loop = { ...none, sessionId, startedAt };
  const record: SessionRecord = { version: sessionVersion, loop, directory, host, run, ...nothingSeen };
  const started = stepRecord(record, [{ type: "run-started" }], { at, upMs: 0 });
  return { begin: { because: "its stops are judged", record }, ...started };
}

/** The agent stops: its turn has ended, and a killed process may have left less. */
export function hearNativeStop(record: SessionRecord, moment: Moment): SteppedRecord {
  const { pending, turnProcess } = record.run;
  if (pending?.type !== "begin-turn") return stepRecord(record, [orderLost], moment);
  const effectId = pending.id;
  const isBegun = pending.isRecheck || turnProcess !== null;
  const report = { ...emptyReport, exitCode: 0, result: "success" as const };
  const news: News[] = [{ type: "turn-ended", effectId, report }];
  return stepRecord(record, isBegun ? news : [begun(effectId), ...news], moment);
}

/** The agent was sent back. */
export function sentBack(record: SessionRecord, moment: Moment): SteppedRecord {
  const effectId = record.run.pending?.id ?? 0;
  return stepRecord(record, [begun(effectId)], moment);
}

/** The session is over, or a loop begins in it, and with that the run ends. */
export function sessionOver(record: SessionRecord, moment: Moment, what = "The session ended"): SessionChange {
  const how = stopWords(nativeVerdict(record).kind);
  const because = { name: "interrupted" as const, reason: `${what}; its last stop was ${how}.` };
  const asked: News = { type: "asked", request: "interrupt-now", seq: null, because };
  return { begin: null, ...stepRecord(record, [asked], moment) };
}

/**
 * What a stop came to, from the run after its checks: it may end, verified, on the agent's word alone or given up, or the
 * agent is sent back.
 */
export type NativeVerdict = {
  kind: "verified" | "unverified" | "given-up" | "refused";
  reasons: string;
  red: Verdict[];
};

/** The same in words, for views and for the end of the session. */
export function stopWords(kind: NativeVerdict["kind"]): string {
  switch (kind) {
    case "verified":
      return "verified";
    case "unverified":
      return "met by the stop alone, not verified";
    case "given-up":
    case "refused":
      return "not verified";
  }
}

/** Reads it off the order in flight: only a look lets the session go. */
export function nativeVerdict({ run }: SessionRecord): NativeVerdict {
  const isAllowed = run.pending?.type === "begin-turn" && run.pending.isRecheck;
  const red = verdictsOf(run).flatMap(({ verdict }) => (verdict.isPassed ? [] : [verdict]));
  const reasons = stopReasons(run);
  if (!isAllowed) return { kind: "refused", reasons, red };
  if (run.refusal !== null) return { kind: "given-up", reasons, red };
  return { kind: isVerified(run) ? "verified" : "unverified", reasons, red };
}

function begun(effectId: number): News {
  return { type: "turn-started", effectId, pid: 0, startTime: "" };
}
