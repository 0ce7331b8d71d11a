import { expect, it } from "vitest";
import { play, startAt, taskList, toyGate, turnStarts } from "../../../tests/engine/play.ts";
import { renewed } from "./renewed.ts";

const { state } = play({ iterationsMax: 5, hasTasks: true }, turnStarts);
const list = taskList({ role: "review", taskId: "US-001" });
const known = { ...state, ...list };

it("repeats a turn under its number with a new id, today's limits and today's assignment (R-44)", () =>
  expect(renewed(known, state.pending!, startAt)).toMatchObject({
    type: "begin-turn",
    id: state.nextEffectId,
    iteration: 1,
    iterationsMax: 5,
    assignment: list.assignment,
  }));

it("only looks when people left a list on which nothing is to do", () =>
  expect(renewed({ ...state, ...taskList(null) }, state.pending!, startAt)).toMatchObject({
    assignment: null,
    isRecheck: true,
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

it("asks a gate with its memory as it is known now", () => {
  const asked = { iteration: 1, candidate: null, hasClaim: false, isGreenSoFar: false, slot: null, wallMs: null };
  const effect = { type: "run-gate" as const, id: 1, gate: toyGate("task-list"), ...asked };
  expect(renewed(known, effect, startAt)).toMatchObject({ id: state.nextEffectId, slot: list.slots["task-list"] });
});
