import type { Gate, GateLimits, GateWord, Json } from "../../contract/gate.ts";
import { sessionChecksKind } from "../../contract/session-checks.ts";
import { taskListGateId } from "../../contract/task-list.ts";
import {
  count,
  flag,
  hasShape,
  list,
  mapOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Shape,
  text,
} from "../../shape/shape.ts";
import type { TaskListState } from "../../prd/task-list-state.ts";
import type { Assignment } from "../../contract/assignment.ts";
import { textRefShape } from "./evidence-shapes.ts";

/** Gates, what they say and what they remember, as they stand in state and journal. */
export const gateShape: Shape<Gate> = objectOf<Gate>({
  id: text,
  kind: text,
  name: text,
  when: oneOf("before-first-turn", "every-turn", "on-claim"),
  isBeforeDelivery: flag,
  isAlways: flag,
  origin: text,
  limits: objectOf<GateLimits>({ wallMs: nullable(number) }),
  tells: oneOf("output", "reason", "notes"),
  isClaimOnly: optional(oneOf(true)),
});

export const assignmentShape: Shape<Assignment> = objectOf<Assignment>({
  role: oneOf("implement", "review", "review-fix"),
  taskId: text,
});

export const gateWordShape: Shape<GateWord> = objectOf<GateWord>({
  isClaim: flag,
  isWorkLeft: flag,
  assignment: nullable(assignmentShape),
  notes: list(text),
  remark: nullable(text),
});

const taskListShape: Shape<TaskListState> = objectOf<TaskListState>({
  copy: textRefShape,
  prd: optional(textRefShape),
  assignment: nullable(assignmentShape),
  dirty: textRefShape,
});

/** How many verdicts a session's gate must give. A gate that is there gives at least one. */
const sessionChecksShape = objectOf<{ count: number }>({
  count: {
    problem: (value, path) => count.problem(value, path) ?? (value === 0 ? `${path} is 0` : null),
  },
});

/** Gates whose memory decides what they ask for: it must be there, and complete. */
export const rememberingGates: ReadonlyMap<string, Shape<unknown>> = new Map<string, Shape<unknown>>([
  [taskListGateId, taskListShape],
  [sessionChecksKind, sessionChecksShape],
]);

/** A present but empty memory is plain null; `undefined` is not JSON. */
export const slotShape: Shape<Json> = {
  problem: (value, path) => (isJson(value) ? null : `${path} is not plain JSON`),
};

export const slotsShape: Shape<Record<string, Json>> = {
  problem(value, path) {
    const slots = mapOf(slotShape);
    if (!hasShape(slots, value)) return slots.problem(value, path);
    for (const [id, slot] of Object.entries(value)) {
      const wrong = rememberingGates.get(id)?.problem(slot, `${path}.${id}`) ?? null;
      if (wrong !== null) return wrong;
    }
    return null;
  },
};

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  return (Array.isArray(value) ? value : Object.values(value)).every(isJson);
}
