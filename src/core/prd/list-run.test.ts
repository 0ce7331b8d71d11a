import { describe, expect, it } from "vitest";
import { emptyReport } from "../agents/turn-report.ts";
import { approved, story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import {
  agentOfRole,
  areApprovalsUnseen,
  consentNeeded,
  findStartFault,
  isTurnBroken,
  judgeReview,
  outcomeWithoutRun,
  stopUnsettled,
} from "./list-run.ts";
import { findRevision } from "./revision.ts";
import type { ReviewOptions } from "./list/task-file.ts";

const review: ReviewOptions = { isReviewSkipped: false, reviewCap: 2, atCap: "hold" };

describe("a task list before a run", () => {
  it("needs stories, and must be in order (CW-4A)", () => {
    expect(findStartFault(taskFile([]), review)).toEqual({ kind: "no-stories" });
    expect(findStartFault(taskFile([story("A")]), review)).toBeNull();
    const odd = findStartFault(taskFile([story("A", { passes: true })]), review);
    expect(odd).toMatchObject({ kind: "out-of-order", capNeeded: null });
  });

  it("says under which cap its counts are possible", () => {
    const counted = findStartFault(taskFile([story("A", { ...submitted, reviewCount: 9 })]), review);
    expect(counted).toMatchObject({ kind: "out-of-order", capNeeded: 9 });
  });

  it("that can never be finished needs no run; a run on a finished list asks every gate without a turn", () => {
    expect(outcomeWithoutRun(taskFile([story("A", approved)]), review)).toBeNull();
    expect(outcomeWithoutRun(taskFile([story("A")]), review)).toBeNull();
    const stuck = taskFile([story("A", { dependsOn: ["B"] }), story("B", { dependsOn: ["A"] })]);
    expect(outcomeWithoutRun(stuck, review)).toMatchObject({ name: "stopped" });
  });
});

describe("approvals of a list", () => {
  it("are no evidence before the first turn: a run on a finished list asks every gate without a turn, unverified", () => {
    expect([areApprovalsUnseen(false, 0), areApprovalsUnseen(false, 1), areApprovalsUnseen(true, 1)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("count only when the review changed nothing (S4-68)", () =>
    expect([judgeReview([]), judgeReview(["a"]), judgeReview(null)]).toEqual(["counts", "refused", "unknown"]));

  it("are given by an agent of its own where there is one (CB-16)", () => {
    expect(agentOfRole("review", "other")).toBe("other");
    for (const role of [null, "implement", "review-fix"] as const) expect(agentOfRole(role, "other")).toBeUndefined();
  });
});

describe("people's edits of a task list between turns", () => {
  const version = (verifyCommands: string[]) => ({ file: { ...taskFile([story("A")]), verifyCommands }, prd: "p" });

  it("need consent where they remove a check, and nowhere else", () => {
    expect(consentNeeded(null)).toBeNull();
    expect(consentNeeded(findRevision(version(["a"]), version(["a", "b"])))).toBeNull();
    expect(consentNeeded(findRevision(version(["a", "b"]), version(["a"])))).toMatch(
      /^The task list checks less than before: /,
    );
  });
});

describe("a turn on a list", () => {
  it.each([
    ["that nobody saw the end of", null, true],
    ["that was cut", { ...emptyReport, exitCode: 0, isCut: true }, true],
    ["that failed", { ...emptyReport, exitCode: 1 }, true],
    ["that ended normally", { ...emptyReport, exitCode: 0 }, false],
  ])("%s is broken: %s", (_, report, expected) => expect(isTurnBroken(report)).toBe(expected));

  it("whose list could not be put in order ends the run as failed, with the reason", () => {
    expect(stopUnsettled("The disk is full.")).toEqual({ name: "failed", reason: "The disk is full." });
  });
});
