import { expect, it } from "vitest";
import { approved, story, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { readSnapshot, snapshotOf } from "./snapshot.ts";

it("covers the review fields of every story (S4-12, S4-14)", () =>
  expect(snapshotOf(taskFile([story("A", approved), story("B")]))).toEqual({
    A: { passes: true, reviewStatus: "approved", reviewCount: 1 },
    B: { passes: false, reviewStatus: null, reviewCount: 0 },
  }));

it("is read back, also when it is empty (CW-4C)", () => {
  const snapshot = snapshotOf(taskFile([story("A", approved)]));
  expect(readSnapshot(snapshot)).toEqual({
    tasks: [{ id: "A", passes: true, reviewStatus: "approved", reviewCount: 1 }],
  });
  expect(readSnapshot({})).toEqual({ tasks: [] });
});

it.each([
  undefined,
  null,
  [],
  "x",
  { A: null },
  { A: { passes: 1, reviewStatus: null, reviewCount: 0 } },
  { A: { passes: true } },
])("is refused when somebody spoiled it (S4-61): %j", (value) => expect(readSnapshot(value)).toBeNull());
