import { describe, expect, it } from "vitest";
import { approved, sentBack, story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { refuseApprovals, refuseVerdicts } from "./refuse-verdict.ts";

const before = taskFile([story("A", submitted), story("B", submitted), story("C", approved)]);
const after = taskFile([
  story("A", approved),
  story("B", sentBack),
  story("C", approved),
  story("D", { passes: true }),
]);

describe("a verdict without its evidence", () => {
  it("is undone when it approves, and only then", () => {
    const { file, refused } = refuseApprovals(before, after);
    expect(refused.map(({ id }) => id)).toEqual(["A", "D"]);
    expect(file.tasks[0]).toMatchObject({ passes: false, reviewStatus: "needs_review", reviewCount: 0, notes: "done" });
    expect(file.tasks[1]).toMatchObject(sentBack);
    expect(file.tasks[2]).toMatchObject(approved);
    expect(file.tasks[3]).toMatchObject({ passes: false, reviewStatus: null });
  });

  it("is undone whatever it says when the review was none", () => {
    const { file, refused } = refuseVerdicts(before, after);
    expect(refused.map(({ id }) => id)).toEqual(["A", "B"]);
    expect(file.tasks[1]).toMatchObject({ reviewStatus: "needs_review", reviewCount: 0, reviewFeedback: "" });
  });

  it("leaves a list without verdicts as it is", () => {
    expect(refuseApprovals(before, before).file).toBe(before);
    expect(refuseVerdicts(before, before).file).toBe(before);
  });
});
