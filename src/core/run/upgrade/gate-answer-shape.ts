import type { ContractGate } from "../../contract/contract.ts";
import { flag, list, nullable, objectOf, oneOf, type Shape, shapeProblem, text } from "../../shape/shape.ts";
import type { GateAnswer } from "../observation.ts";
import { type GateStop, gateStopNames } from "../outcome.ts";
import { spendShape, verdictShape } from "./evidence-shapes.ts";
import { gateShape, gateWordShape, slotShape } from "./gate-shapes.ts";

/** What is wrong with the answer of a gate that a program brought along, in words; null: nothing. */
export function gateAnswerProblem(value: unknown): string | null {
  return shapeProblem(answerShape, value);
}

/** What is wrong with the gates of a kind that a program brought along, in words; null: nothing. */
export function contractGatesProblem(value: unknown): string | null {
  return shapeProblem(list(contractGateShape), value);
}

const stopShape: Shape<GateStop> = objectOf<GateStop>({ name: oneOf(...gateStopNames), reason: text });

const answerShape: Shape<GateAnswer> = objectOf<GateAnswer>({
  verdicts: list(verdictShape),
  isCut: flag,
  spend: spendShape,
  stop: nullable(stopShape),
  slot: slotShape,
  word: nullable(gateWordShape),
});

/** Only the kind itself reads `spec`. */
const contractGateShape: Shape<ContractGate> = {
  problem: (value, path) => gateShape.problem(value, path),
};
