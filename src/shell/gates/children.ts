import { childrenGates, childrenKind } from "../../core/contract/children.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import { awaitChildren, type ChildEnding } from "../supervised/children-gate.ts";
import type { Supervision } from "../supervised/supervision.ts";
import { cutAnswer, plainAnswer } from "./gate-answer.ts";
import type { GateKind } from "./gate-kind.ts";

/** The registered children of a supervised task end before it does, or the wait for them is over. */
export const children: GateKind = {
  name: childrenKind,
  gatesOf: childrenGates,
  open: ({ supervised }) =>
    supervised === null ? null : (order) => askChildren(supervised.supervision, supervised.ending, order),
};

/** Waits for the children and says how it went; there is no remark where there were none. */
export async function askChildren(
  supervision: Supervision,
  ending: ChildEnding,
  limits: { wallMs: number | null; signal: AbortSignal },
): Promise<GateAnswer> {
  const waited = await awaitChildren(supervision, ending, limits);
  if (waited === null) return cutAnswer();
  const word = { isClaim: false, isWorkLeft: true, assignment: null, notes: [], remark: waited.remark };
  return { ...plainAnswer([waited.verdict]), word };
}
