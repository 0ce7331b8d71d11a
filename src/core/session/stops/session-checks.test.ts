import { describe, expect, it } from "vitest";
import type { Verification } from "../../tasks/criteria/completion-spec.ts";
import {
  beginChecks,
  believedVerdicts,
  countChecks,
  freezingOf,
  hasChangedSince,
  isHeldToChecks,
  isHeldToProject,
  otherChecks,
  startUnchecked,
} from "./session-checks.ts";

const promise: Verification = { method: "string_match", promise: null, isLoose: false };
const judged: Verification = { method: "semantic", checkFor: [], negativePatterns: [], model: null };

describe("the checks of a session", () => {
  it("are those of a loop, and without one those of a project with criteria of its own", () => {
    const rows = [true, false].map((isLoop) =>
      [true, false].map((hasCriteria) => isHeldToChecks({ isLoop, hasCriteria })),
    );
    expect(rows).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  it("count only when they are those the run began with, where that is known (frozen checks count only when they are those the run began with)", () => {
    expect(otherChecks("a", "a")).toBeNull();
    expect(otherChecks("", "a")).toBeNull();
    expect(otherChecks("a", "b")).toContain("changed since");
  });

  it("are frozen once; frozen checks of a living loop are never frozen again", () => {
    expect(freezingOf({ isKept: true, isLiving: true })).toBe("keep");
    expect(freezingOf({ isKept: false, isLiving: false })).toBe("freeze");
    expect(freezingOf({ isKept: false, isLiving: true })).toBe("lost");
  });

  it("begin with a fresh session, and are kept where it goes on, was known before or has a loop", () => {
    expect(beginChecks({ isFresh: true, hasLoop: false, isKnown: false })).toEqual({
      isFrozen: true,
      isTreeKept: true,
    });
    const kept = { isFrozen: true, isTreeKept: false };
    expect(beginChecks({ isFresh: false, hasLoop: false, isKnown: false })).toEqual(kept);
    for (const isFresh of [true, false]) expect(beginChecks({ isFresh, hasLoop: false, isKnown: true })).toEqual(kept);
    const none = { isFrozen: false, isTreeKept: false };
    for (const isFresh of [true, false]) expect(beginChecks({ isFresh, hasLoop: true, isKnown: false })).toEqual(none);
  });

  it.each([
    { isLoop: true, criteria: [], guardrailCount: 0, problem: null, expected: null },
    { isLoop: true, criteria: [promise], guardrailCount: 0, problem: null, expected: null },
    { isLoop: true, criteria: [promise], guardrailCount: 1, problem: null, expected: 2 },
    { isLoop: true, criteria: [promise, judged], guardrailCount: 0, problem: null, expected: 2 },
    { isLoop: true, criteria: [], guardrailCount: 2, problem: null, expected: 2 },
    { isLoop: false, criteria: [promise], guardrailCount: 0, problem: null, expected: 1 },
    { isLoop: true, criteria: [], guardrailCount: 0, problem: "it is odd", expected: 0 },
  ])("are none where the claim of a loop meets all of them (R-16): row %#", ({ expected, ...found }) =>
    expect(countChecks(found)).toBe(expected),
  );

  it("of an earlier version that are none today are met by the claim, one for each role at most", () =>
    expect(believedVerdicts("").every(({ isPassed, isUnverified }) => isPassed && isUnverified === true)).toBe(true));

  it("refuses the claim of a loop that was bound to checks and has none any more", () =>
    expect(believedVerdicts("abc")).toMatchObject([{ isPassed: false, reason: expect.stringContaining("are gone") }]));
});

describe("a loop without checks", () => {
  it("needs a change for its claim unless that is switched off, and says that nothing is checked (R-16)", () => {
    const start = (requireProgress: boolean | null) => startUnchecked({ requireChecks: false, requireProgress });
    for (const requireProgress of [null, true]) expect(start(requireProgress)).toMatchObject({ needsChange: true });
    expect(start(false)).toMatchObject({ problem: null, needsChange: false });
    expect(start(null)).toMatchObject({ warning: expect.stringContaining("No check is configured") as string });
  });

  it("does not begin where checks are required: completion.requireChecks starts no loop without checks", () =>
    expect(startUnchecked({ requireChecks: true, requireProgress: null })).toEqual({
      problem: "No check is configured, and completion.requireChecks is true.",
    }));
});

describe("a change since a loop began", () => {
  it.each([
    [{ isKept: true, mark: "a" }, "b", true],
    [{ isKept: true, mark: "a" }, "a", false],
    [{ isKept: true, mark: "a" }, null, false],
    [{ isKept: true, mark: null }, "b", null],
    [{ isKept: false, mark: null }, "b", false],
  ])(
    "is one of a tree that git can still read; where nobody knew it, nobody can tell: row %#",
    (start, now, expected) => expect(hasChangedSince(start, () => now)).toBe(expected),
  );
});

describe("a loop of a program that gives no checks", () => {
  it("is held to those of its project; one that gives some, or says that there are none, is not", () =>
    expect([undefined, null, { count: 0 }].map(isHeldToProject)).toEqual([true, false, false]));
});
