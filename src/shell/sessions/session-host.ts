import { hostErrorText } from "../../core/session/host-error-text.ts";
import type { SessionContract } from "../../core/contract/session-checks.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { LoopNotice } from "../../core/session/loop/loop-notice.ts";
import type { SessionMessage } from "../../core/session/session-message.ts";
import type { Clock } from "../ports.ts";

/** What a driver needs of the program a session lives in. Any of them may throw, reject or hang: each is limited. */
export type SessionHost = {
  /** Tells its loops from those other programs keep in the same place. */
  name?: string;
  /** Where its sessions work; without it no orphan is looked for. */
  directory?: string;
  /** All messages of the session, oldest first. */
  getMessages(sessionId: string): Promise<readonly SessionMessage[]>;
  /**
   * Gives the agent a prompt. Resolving means that it was taken; an error, thrown or returned, that it was not. It may
   * also settle only when the agent has answered.
   */
  inject(sessionId: string, prompt: string): Promise<unknown>;
  /** Null: nobody knows, so no loop is ever an orphan. */
  exists: ((sessionId: string) => Promise<boolean>) | null;
  /** Work the agent started that will wake it again. */
  hasPendingWork: ((sessionId: string) => Promise<boolean>) | null;
  /**
   * Whether anything has changed in the session's directory since its loop began; null: nobody can tell. A loop without
   * checks refuses a claim as long as nothing has. Absent: such a claim is taken.
   */
  hasChanged?: (sessionId: string) => Promise<boolean | null>;
  /** What must hold before a claim completes; null: nothing. */
  checks: SessionChecks | null;
  /** Told, never asked; must not throw. */
  tell(notice: LoopNotice): void;
};

/**
 * Criteria of a loop in a session. `run` gives one verdict each, in their order.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type SessionChecks } from "ralph";
 *
 * const criteria: SessionChecks = { count: 0, run: async () => [] };
 * createRalphLoopHook({ criteria }).dispose();
 * ```
 */
export type SessionChecks = {
  /** Of all sessions, or of the one whose loop starts now. */
  count: number | ((sessionId: string) => number);
  /** What they are, for the run of the loop that starts now; absent: nobody says. */
  contract?: (sessionId: string) => SessionContract;
  run(request: SessionCheckRequest): Promise<Verdict[]>;
};

/**
 * What the checks of a session are asked for.
 *
 * @example
 * ```ts
 * import { type SessionCheckRequest } from "ralph";
 *
 * const label = ({ sessionId, iteration }: SessionCheckRequest): string => `${sessionId}, iteration ${iteration}`;
 * const { signal } = new AbortController();
 * console.log(label({ sessionId: "session-1", iteration: 2, wallMs: null, signal, contractHash: "" }));
 * ```
 */
export type SessionCheckRequest = {
  sessionId: string;
  iteration: number;
  wallMs: number | null;
  signal: AbortSignal;
  /** Of the checks that the loop began with, as `contract` gave it; empty when it gave none. */
  contractHash: string;
};

/** The result of a host's callback, or why it is missing. */
export type Answered<Value> =
  | { isAnswered: true; value: Value }
  | { isAnswered: false; error: string; isLate: boolean };

/** How long a host may take to answer. */
export const callbackMsMax = 5000;

/** Calls a host and comes back whatever it does (CW-0J, R-17). */
export async function askHost<Value>(
  clock: Clock,
  call: () => Promise<Value> | Value,
  limitMs = callbackMsMax,
): Promise<Answered<Value>> {
  const giveUp = new AbortController();
  const late = clock.wait(limitMs, giveUp.signal).then((): Answered<Value> => {
    return { isAnswered: false, error: `no answer within ${limitMs} ms`, isLate: true };
  });
  // Called at once, so that it tells of this moment; one that throws is treated like one that rejects.
  const answer = new Promise<Value>((resolve) => {
    resolve(call());
  })
    .then((value): Answered<Value> => ({ isAnswered: true, value }))
    .catch((error: unknown): Answered<Value> => ({ isAnswered: false, error: hostErrorText(error), isLate: false }));
  const first = await Promise.race([answer, late]);
  giveUp.abort();
  return first;
}
