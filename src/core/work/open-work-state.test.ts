import { expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { playWork } from "../../../tests/engine/play-work.ts";
import { newRun } from "../run/state.ts";
import { openWorkState, withVerified } from "./open-work-state.ts";

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

it("says of a completed work run whether every task that was done in it rests on evidence", () => {
  const outcome = { name: "completed" as const, reason: "" };
  const { state } = playWork({ tasks: [{ id: "one" }, { id: "two" }] });
  const said = (...verified: (boolean | null)[]): boolean | undefined => {
    const tasks = verified.map((isVerified, index) => {
      const end = { id: `${index}`, reason: "", ...(isVerified === null ? left : done) };
      const rests = isVerified === false ? { ...outcome, isVerified } : outcome;
      return { phase: { kind: "ended", end: { ...end, outcome: isVerified === null ? null : rests } } };
    });
    return withVerified(outcome, { ...state, work: { ...state.work, tasks } }).isVerified;
  };
  const [done, left] = [{ status: "done" }, { status: "ready" }];
  expect([said(true, true), said(true, false), said(true, null), said(null), said()]).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
  expect(withVerified({ name: "waiting", reason: "" }, state)).toEqual({ name: "waiting", reason: "" });
});
