import { expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { playWork } from "../../../tests/engine/play-work.ts";
import { newRun } from "../run/state.ts";
import { openWorkState } from "./open-work-state.ts";

it("opens what this version stored as it is", () => {
  const { state } = playWork({ tasks: [{ id: "one" }] });
  expect(openWorkState(state)).toEqual({ state, isTakenOver: false });
});

it("takes over the record of a version without an engine for work runs", () =>
  expect(openWorkState(newRun(plain))).toMatchObject({ isTakenOver: true, state: { work: { tasks: [] } } }));

it.each([
  [{ version: 2 }, "its tasks have version 2"],
  [{ tipSpend: null }, "tipSpend"],
])("refuses a book of a newer version, or one that is incomplete: %j", (change, problem) => {
  const { state } = playWork({ tasks: [{ id: "one" }] });
  expect(openWorkState({ ...state, work: { ...state.work, ...change } })).toEqual({
    problem: expect.stringContaining(problem),
  });
});
