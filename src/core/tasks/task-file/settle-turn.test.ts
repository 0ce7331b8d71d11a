import { describe, expect, it } from "vitest";
import { approved, sentBack, story, submitted, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { settleTurn, type TurnFacts } from "./settle-turn.ts";
import type { ReviewTurn } from "./task-file.ts";

const review: ReviewTurn = { role: "review", taskId: "A", isReviewSkipped: false, reviewCap: 5, atCap: "approve" };
const good: TurnFacts = { isApprovalAllowed: true, isTurnFailed: false, refusal: null };
const red: TurnFacts = { ...good, isApprovalAllowed: false };
const reviewed = taskFile([story("A", submitted)]);
const yes = taskFile([story("A", approved)]);
const no = taskFile([story("A", sentBack)]);

describe("the list after a turn", () => {
  it("is complete when every story is approved by a review with green checks (S4-15, S4-16)", () =>
    expect(settleTurn({ before: reviewed, after: yes }, review, good)).toMatchObject({
      isComplete: true,
      assignment: null,
      violations: [],
      stop: null,
      file: yes,
    }));

  it("loses an approval without green checks, and the next prompt says why (S4-97)", () => {
    const settled = settleTurn({ before: reviewed, after: yes }, review, red);
    expect(settled).toMatchObject({ isComplete: false, stop: null, assignment: { role: "review", taskId: "A" } });
    expect(settled.violations).toEqual([
      expect.stringContaining("Story A was approved, but the turn failed or a check"),
    ]);
    expect(settled.file.tasks[0]).toMatchObject({ passes: false, reviewStatus: "needs_review", reviewCount: 0 });
  });

  it("keeps changes that a review requested, red checks or not", () =>
    expect(settleTurn({ before: reviewed, after: no }, review, red)).toMatchObject({
      assignment: { role: "review-fix", taskId: "A" },
      violations: [],
    }));

  it("loses every verdict of a review that changed code or did not come to its end (CB-16)", () => {
    const changed = settleTurn({ before: reviewed, after: no }, review, { ...good, refusal: "Code was changed." });
    expect(changed).toMatchObject({ violations: ["Code was changed."], assignment: { role: "review" } });
    const failed = settleTurn({ before: reviewed, after: no }, review, { ...red, isTurnFailed: true });
    expect(failed).toMatchObject({ assignment: { role: "review" } });
    expect(failed.violations).toEqual([expect.stringContaining("failed before its end")]);
  });

  it("is held at the cap with red checks, whatever the last review said (CW-4I)", () => {
    const last = { ...review, reviewCap: 1 };
    const approvedRed = settleTurn({ before: reviewed, after: yes }, last, red);
    expect(approvedRed.stop).toEqual({
      name: "waiting",
      reason: "Story A is held at the review cap of 1: it was approved, but a check is red.",
    });
    expect(settleTurn({ before: reviewed, after: no }, last, red).stop).toMatchObject({ name: "waiting" });
    expect(settleTurn({ before: reviewed, after: no }, { ...last, atCap: "hold" }, good).stop).toMatchObject({
      name: "waiting",
    });
  });

  it("is approved at the cap with green checks, and the closing sentence names it (CW-4I, R-103)", () =>
    expect(settleTurn({ before: reviewed, after: no }, { ...review, reviewCap: 1 }, good)).toMatchObject({
      isComplete: true,
      remark: "Approved at the review cap with open feedback: A.",
    }));

  it("misses a verdict, and is told so (CW-4D)", () =>
    expect(settleTurn({ before: reviewed, after: reviewed }, review, good).violations).toEqual([
      expect.stringContaining("no story was reviewed"),
    ]));

  it("stops when dependencies never end, and names one that the turn made (CW-4G, R-104)", () => {
    const turn: ReviewTurn = { ...review, role: "implement" };
    const before = taskFile([story("A")]);
    const circle = taskFile([story("A", { dependsOn: ["A"] })]);
    expect(settleTurn({ before, after: circle }, turn, good)).toMatchObject({
      stop: { name: "stopped" },
      violations: ["Story A depends on itself."],
    });
  });

  it("needs no review when reviews are skipped, but green checks (S4-21, R-109)", () => {
    const turn: ReviewTurn = { ...review, role: "implement", isReviewSkipped: true };
    const before = taskFile([story("A", submitted)]);
    const after = taskFile([story("A", { ...submitted, passes: true, notes: "done" })]);
    expect(settleTurn({ before, after }, turn, good).isComplete).toBe(true);
    expect(settleTurn({ before, after }, turn, red)).toMatchObject({
      isComplete: false,
      stop: null,
      assignment: { role: "implement" },
    });
  });
});
