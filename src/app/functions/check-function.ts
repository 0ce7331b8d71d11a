import type { ContractGate } from "../../core/contract/contract.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateKind, GateRequest, GateContext } from "../../shell/gates/gate-kind.ts";
import { checkFunctionKind as kind } from "./own-functions.ts";

/**
 * What a check is asked for.
 *
 * @example
 * ```ts
 * import { existsSync } from "node:fs";
 * import { join } from "node:path";
 * import { type CheckRequest } from "ralph";
 *
 * const hasReadme = ({ projectDir }: CheckRequest): boolean => existsSync(join(projectDir, "README.md"));
 * console.log(hasReadme({ projectDir: ".", iteration: 1, signal: new AbortController().signal }));
 * ```
 */
export type CheckRequest = { projectDir: string; iteration: number; signal: AbortSignal };

/**
 * The answer of a check: `reason` goes into the next prompt when it is red.
 *
 * @example
 * ```ts
 * import { type CheckAnswer } from "ralph";
 *
 * const answer: CheckAnswer = { isPassed: false, reason: "README.md has no heading." };
 * console.log(answer.isPassed);
 * ```
 */
export type CheckAnswer = boolean | { isPassed: boolean; reason?: string };

/**
 * A check of the work as a function; a rejection is red. It runs after every turn unless `when` says otherwise.
 *
 * @example
 * ```ts
 * import { type CheckFunction, runLoop } from "ralph";
 *
 * const always: CheckFunction = { name: "always", when: "on-claim", check: () => true };
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: [always] });
 * console.log((await loop.outcome).name); // completed
 * ```
 */
export type CheckFunction = {
  name: string;
  check: (request: CheckRequest) => Promise<CheckAnswer> | CheckAnswer;
  when?: "every-turn" | "on-claim";
};

/** A reason goes into the next prompt and into the state of the run. */
const reasonCharsMax = 2000;

/** The kind of gates that these functions are. */
export function checkFunctions(checks: readonly CheckFunction[]): GateKind {
  return {
    name: kind,
    gatesOf: ({ settings }) => checks.map((check, index) => gateOf(check, index, settings.guardrailTimeout)),
    open:
      ({ context }) =>
      async (order) => {
        const index = checks.findIndex((_, each) => idOf(each) === order.gate.id);
        const asked = checks[index];
        context.onCheck({ gate: order.gate, verdict: null });
        const verdict = asked === undefined ? unknownCheck(order) : await ask(asked, { context, order, index });
        if (verdict === null) return cutAnswer();
        context.onCheck({ gate: order.gate, verdict });
        return plainAnswer([verdict]);
      },
  };
}

function idOf(index: number): string {
  return `${kind}-${index + 1}`;
}

function gateOf({ name, when }: CheckFunction, index: number, wallMs: number | null): ContractGate {
  return {
    id: idOf(index),
    kind,
    name,
    when: when ?? "every-turn",
    isBeforeDelivery: true,
    isAlways: false,
    origin: `options checks[${index}]`,
    limits: { wallMs },
    tells: "reason",
    spec: null,
  };
}

type Asking = { context: GateContext["context"]; order: GateRequest; index: number };

/** Null when it was cut. */
async function ask({ name, check }: CheckFunction, { context, order, index }: Asking): Promise<Verdict | null> {
  const { iteration, wallMs } = order;
  const began = performance.now();
  const limit = wallMs === null ? [] : [AbortSignal.timeout(wallMs)];
  const signal = AbortSignal.any([order.signal, ...limit]);
  const answer = await Promise.race([
    answerOf(() => check({ projectDir: context.frozen.projectDir, iteration, signal })),
    whenAborted(signal),
  ]);
  if (order.signal.aborted) return null;
  const { isPassed, reason } = answer ?? { isPassed: false, reason: "it took longer than its time" };
  return {
    index,
    name,
    isPassed,
    reason: isPassed ? (reason ?? "passed") : `${name}: ${(reason ?? "it is red").slice(0, reasonCharsMax)}`,
    exitCode: isPassed ? 0 : 1,
    isTimedOut: answer === null,
    durationMs: Math.round(performance.now() - began),
    output: { text: "" },
    logFile: null,
    evidence: null,
  };
}

async function answerOf(
  check: () => Promise<CheckAnswer> | CheckAnswer,
): Promise<{ isPassed: boolean; reason?: string }> {
  try {
    // Only true is green: an answer that is neither true nor false is not evidence.
    const answer: unknown = await check();
    if (typeof answer !== "object" || answer === null) return { isPassed: answer === true };
    const reason = "reason" in answer && typeof answer.reason === "string" ? { reason: answer.reason } : {};
    return { isPassed: "isPassed" in answer && answer.isPassed === true, ...reason };
  } catch (error) {
    return { isPassed: false, reason: thrownText(error) };
  }
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** A run that was started with other checks: a gate that nobody knows is never green. */
function unknownCheck({ gate }: GateRequest): Verdict {
  const facts = { exitCode: 1, isTimedOut: false, durationMs: 0, output: { text: "" }, logFile: null, evidence: null };
  return { index: 0, name: gate.name, isPassed: false, reason: "no function of this name was given", ...facts };
}
