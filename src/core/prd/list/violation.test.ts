import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { checkChanges, checkStanding } from "./task-file-rules.ts";
import type { ReviewRole } from "./task-file.ts";
import { fillText } from "./violation.ts";

const options = { isReviewSkipped: false, reviewCap: 2, atCap: "approve" } as const;
const standing = (fields: Story) => checkStanding(taskFile([story("US-003", fields)]), options)[0]?.message;
const change = (role: ReviewRole, before: Story, after: Story) =>
  checkChanges(taskFile([story("US-003", before)]), taskFile([story("US-003", after)]), {
    ...options,
    role,
    taskId: null,
  })[0]?.message;

describe("the sentences an agent reads, word for word", () => {
  it.each([null, "needs_review"])("passes with reviewStatus %s (S4-46)", (reviewStatus) =>
    expect(standing({ passes: true, notes: "x", reviewStatus })).toBe(
      `Story US-003 has passes=true but reviewStatus is '${String(reviewStatus)}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`,
    ),
  );

  it("an approval in implement (S4-54)", () => {
    expect(change("implement", {}, { ...approved, reviewCount: 0 })).toBe(
      "Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story US-003 had illegal transition: passes false → true.",
    );
    expect(change("implement", {}, { reviewStatus: "approved" })).toBe(
      "Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story US-003 had illegal transition: reviewStatus null → approved.",
    );
  });

  it("a review that is none (S4-57)", () =>
    expect(change("review", submitted, { ...approved, reviewCount: 2 })).toBe(
      "Review iteration made illegal transition on story US-003: reviewCount 0 → 2, expected 1.",
    ));

  it("an approval in review-fix (S4-60)", () =>
    expect(change("review-fix", sentBack, { ...sentBack, reviewStatus: "approved" })).toBe(
      "Review-fix iterations cannot approve stories. Story US-003 must go back to needs_review for re-review. Illegal transition: reviewStatus changes_requested → approved.",
    ));

  it("a refusal at the cap (S4-69, CW-4I)", () =>
    expect(standing({ ...sentBack, reviewCount: 2 })).toBe(
      "Story US-003 has had 2 reviews and the review cap is 2: it can only be approved. Set reviewStatus to 'approved' and passes to true, and begin reviewFeedback with [AUTO-APPROVED AT CAP] if issues remain.",
    ));

  it("are out of sync, without feedback, without notes (S4-44, S4-47, S4-48)", () => {
    expect(standing({ ...approved, passes: false })).toContain("out of sync");
    expect(standing({ ...sentBack, reviewFeedback: "" })).toContain("feedback is required");
    expect(standing({ ...approved, notes: "" })).toContain("notes is empty");
  });

  it("never scan what an agent wrote for names to fill, and cut it where it is long", () => {
    expect(fillText("{id} {field}", { id: "{field}", field: "x" })).toBe("{field} x");
    expect(fillText("{id}", { id: "x".repeat(300) })).toHaveLength(200);
  });
});
