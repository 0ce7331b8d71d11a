import { describe, expect, it } from "vitest";
import { approved, sentBack, story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { settleTurn, type TurnFacts } from "./settle-turn.ts";
import { checkChanges, checkStanding } from "./list/task-file-rules.ts";
import type { ReviewTurn, TaskFile } from "./list/task-file.ts";

const review: ReviewTurn = { role: "review", taskId: "A", isReviewSkipped: false, reviewCap: 5, atCap: "approve" };
const good: TurnFacts = { isApprovalAllowed: true, isTurnFailed: false, isUnproven: false, refusal: null };
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
      "The review of story A is refused, but it counts: reviewCount is now 1, the review cap is 5.",
    ]);
    expect(settled.file.tasks[0]).toMatchObject({ passes: false, reviewStatus: "needs_review", reviewCount: 1 });
  });

  it("keeps changes that a review requested, red checks or not", () =>
    expect(settleTurn({ before: reviewed, after: no }, review, red)).toMatchObject({
      assignment: { role: "review-fix", taskId: "A" },
      violations: [],
    }));

  it("loses every verdict of a review that changed code or did not come to its end (CB-16)", () => {
    const changed = settleTurn({ before: reviewed, after: no }, review, { ...good, refusal: "Code was changed." });
    expect(changed).toMatchObject({ assignment: { role: "review" } });
    expect(changed.violations[0]).toBe("Code was changed.");
    const failed = settleTurn({ before: reviewed, after: no }, review, { ...red, isTurnFailed: true });
    expect(failed).toMatchObject({ assignment: { role: "review" } });
    expect(failed.violations).toEqual([expect.stringContaining("failed before its end")]);
  });

  it("loses the verdict of a review that was left before its checks, which costs no review (R-103)", () => {
    const left = settleTurn({ before: reviewed, after: yes }, review, { ...red, isUnproven: true });
    expect(left).toMatchObject({ isComplete: false, stop: null, assignment: { role: "review", taskId: "A" } });
    expect(left.violations).toEqual([expect.stringContaining("stopped before the checks of the turn that reviewed")]);
    expect(left.file.tasks[0]).toMatchObject({ passes: false, reviewStatus: "needs_review", reviewCount: 0 });
  });

  describe("counts a review that does not stand (R-103)", () => {
    const refusal = "Code was changed.";
    const two = taskFile([story("A", submitted), story("B", submitted)]);
    const rows: [string, TaskFile, TaskFile, TurnFacts, number[]][] = [
      ["one that changed code", reviewed, no, { ...good, refusal }, [1]],
      ["one that changed code and gave no verdict", reviewed, reviewed, { ...good, refusal }, [1]],
      ["an approval with a red check", reviewed, yes, red, [1]],
      ["a verdict with a wrong count", reviewed, taskFile([story("A", { ...approved, reviewCount: 7 })]), good, [1]],
      ["no verdict at all: that is no review", reviewed, reviewed, good, [0]],
      ["one that did not come to its end", reviewed, no, { ...red, isTurnFailed: true }, [0]],
      ["one that did not come to its end and changed code", reviewed, no, { ...red, isTurnFailed: true, refusal }, [0]],
      ["another story's", two, taskFile([story("A", submitted), story("B", approved)]), red, [0, 1]],
      ["only one of two", two, taskFile([story("A", approved), story("B", approved)]), red, [1, 0]],
      ["none beside a verdict that stands", two, taskFile([story("A", sentBack), story("B", approved)]), good, [1, 0]],
    ];
    for (const [title, before, after, facts, counts] of rows)
      it(`judging ${title}`, () => {
        const { file } = settleTurn({ before, after }, review, facts);
        expect(file.tasks.map(({ reviewCount }) => reviewCount)).toEqual(counts);
      });

    it("so that a reviewer who never gives a valid verdict is held beyond the cap", () => {
      const over = { ...submitted, reviewCount: 5 };
      const [before, after] = [taskFile([story("A", over)]), taskFile([story("A", { ...approved, reviewCount: 6 })])];
      expect(settleTurn({ before, after }, review, { ...good, refusal })).toMatchObject({
        stop: { name: "waiting" },
        assignment: null,
      });
    });
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

  it("is told what checks 2 and 2.5 both find in one edit, each once (S4-40)", () => {
    const before = taskFile([story("A")]);
    const after = taskFile([
      story("A", { passes: true, notes: "Done.", reviewStatus: "needs_review", reviewCount: 3 }),
    ]);
    const { violations } = settleTurn({ before, after }, { ...review, role: "implement" }, good);
    const standing = checkStanding(after, review).map(({ message }) => message);
    const changes = checkChanges(before, after, { ...review, role: "implement" }).map(({ message }) => message);
    expect(violations).toContain(standing[0]);
    expect(violations).toContain(changes[0]);
    expect(new Set(violations).size).toBe(violations.length);
  });

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
