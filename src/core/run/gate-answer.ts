import { noSpend, type Spend } from "../agents/spend.ts";
import type { Verdict } from "../verification/verdict.ts";
import type { GateAnswer } from "./observation.ts";

/**
 * The answer of a gate that knows nothing beyond its verdicts.
 *
 * @example
 * ```ts
 * import { type GateKind, plainAnswer } from "ralph";
 *
 * const always: GateKind = { name: "always", gatesOf: () => [], open: () => async () => plainAnswer([]) };
 * console.log(always.name);
 * ```
 */
export function plainAnswer(verdicts: Verdict[], spend: Spend = noSpend): GateAnswer {
  return { verdicts, isCut: false, spend, stop: null, slot: null, word: null };
}

/** The answer of a gate that was cut off; what it cost so far counts. */
export function cutAnswer(spend: Spend = noSpend): GateAnswer {
  return { ...plainAnswer([], spend), isCut: true };
}
