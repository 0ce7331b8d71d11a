import { describe, expect, it } from "vitest";
import { approved, sentBack, story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { findApprovedAtCap, findRefusedAtCap, settleAtCap } from "./settle-at-cap.ts";
import { checkStanding } from "./list/task-file-rules.ts";

const approving = { isReviewSkipped: false, reviewCap: 1, atCap: "approve" } as const;
const file = taskFile([story("A", sentBack), story("B", submitted), story("C", approved)]);

describe("a story refused at the cap", () => {
  it("is approved with its feedback behind the prefix (S4-69, S4-76, CW-4I, R-103)", () => {
    const settled = settleAtCap(file, approving, { areChecksGreen: true });
    expect(settled).toMatchObject({ approved: ["A"], held: [] });
    expect(settled.file.tasks[0]).toMatchObject({
      passes: true,
      reviewStatus: "approved",
      reviewCount: 1,
      reviewFeedback: "[AUTO-APPROVED AT CAP] name it",
      notes: "Approved at the review cap after 1 reviews.",
    });
    expect(settled.file.tasks.slice(1)).toEqual(file.tasks.slice(1));
    expect(checkStanding(settled.file, approving)).toEqual([]);
    expect(findApprovedAtCap(settled.file)).toEqual(["A"]);
  });

  it("is held when a person shall decide, and when checks are red (CW-4I)", () => {
    const held = { file, approved: [], held: [{ id: "A", feedback: "name it" }] };
    expect(settleAtCap(file, { ...approving, atCap: "hold" }, { areChecksGreen: true })).toEqual(held);
    expect(settleAtCap(file, approving, { areChecksGreen: false })).toEqual(held);
  });

  it("is one that was sent back with no review left", () => {
    expect(findRefusedAtCap(file, approving).map(({ id }) => id)).toEqual(["A"]);
    expect(findRefusedAtCap(file, { ...approving, reviewCap: 2 })).toEqual([]);
    expect(findRefusedAtCap(file, { ...approving, isReviewSkipped: true })).toEqual([]);
    expect(settleAtCap(file, { ...approving, reviewCap: 2 }, { areChecksGreen: true }).file).toBe(file);
  });
});
