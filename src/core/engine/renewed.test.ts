import { expect, it } from "vitest";
import { play, startAt, taskList, turnStarts } from "../../../tests/engine/play.ts";
import { renewed } from "./renewed.ts";

const { state } = play({ iterationsMax: 5, hasTasks: true }, turnStarts);
const list = taskList({ role: "review", taskId: "US-001" });
const known = { ...state, tasks: list };

it("repeats a turn under its number with a new id, today's limits and today's assignment (R-44)", () =>
  expect(renewed(known, state.pending!, startAt)).toMatchObject({
    type: "begin-turn",
    id: state.nextEffectId,
    iteration: 1,
    iterationsMax: 5,
    assignment: list.assignment,
  }));

it("waits only the rest of a wait, and never longer than it was ordered for", () => {
  const timer = {
    type: "set-timer" as const,
    id: 1,
    reason: "back-off" as const,
    durationMs: 1000,
    dueAt: startAt + 400,
  };
  expect(renewed(state, timer, startAt)).toMatchObject({ durationMs: 400, dueAt: startAt + 400 });
  expect(renewed(state, timer, startAt - 9000)).toMatchObject({ durationMs: 1000 });
});

it("repairs the list as it is known now", () => {
  const repair = { type: "repair-tasks" as const, id: 1, iteration: 1, tasks: null, isApprovalAllowed: false };
  expect(renewed(known, repair, startAt)).toMatchObject({ id: state.nextEffectId, tasks: list });
});
