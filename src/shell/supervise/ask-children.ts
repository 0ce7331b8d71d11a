import type { GateAnswer } from "../../core/run/observation.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { awaitChildren, type ChildEnding } from "./children-gate.ts";
import type { Supervision } from "./supervision.ts";

/** Waits for the registered children and reports the result; no remark without children. */
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
