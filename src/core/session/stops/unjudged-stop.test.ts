import { describe, expect, it } from "vitest";
import {
  answerUnjudged,
  brokenLoop,
  failedHook,
  heardAfter,
  isConcerned,
  lostLoop,
  unwrittenLoop,
  wasTold,
} from "./unjudged-stop.ts";

describe("a stop that nobody can judge", () => {
  it("is kept aside and named: the stop is blocked once with the reason, then allowed", () => {
    const broken = brokenLoop("/s/aside");
    const first = answerUnjudged(broken, heardAfter(false, {}) ?? "named", {});
    expect(first.block).toBe(
      "The state of this session's Ralph loop cannot be used; it is kept as /s/aside. Nobody verified this stop. " +
        "If the work is done, stop again; to loop again, type /ralph with the task.",
    );
    const judged = { notice: "Verified." };
    const second = answerUnjudged(broken, heardAfter(true, judged) ?? "told", judged);
    expect(second).toEqual({
      notice:
        "Verified. The state of this session's Ralph loop cannot be used; it is kept as /s/aside. The loop ended without verification.",
    });
  });

  it("is not told of while something else blocks it: people hear of it with the next one", () => {
    for (const isTold of [true, false]) expect(heardAfter(isTold, { block: "red" })).toBeNull();
  });

  it.each([
    [1, true, false, false],
    [1, true, true, false],
    [1, false, false, false],
    [1, false, true, true],
    [2, true, false, true],
  ])(
    "was told before by its counts, or by the host where they cannot be kept: row %#",
    (times, isKept, isContinued, expected) => expect(wasTold({ times, isKept, isContinued })).toBe(expected),
  );

  it("has the same reason whichever temporary file could not be written", () => {
    const [first, second] = ["a1", "b2"].map((tag) => unwrittenLoop(`EACCES: open '/s/.state.json.${tag}.tmp'`).reason);
    expect(first).toBe(second);
    expect(first).toContain("cannot be stored: EACCES: open '/s/its temporary file'.");
  });
});

describe("a stop hook that fails inside", () => {
  it("is told of where a loop or a check should have judged the stop, and nowhere else", () => {
    const rows = [true, false].flatMap((hasLoop) =>
      [true, false].map((hasChecks) => isConcerned({ hasLoop, hasChecks })),
    );
    expect(rows).toEqual([true, true, true, false]);
  });

  it("says what failed, and what is left to do", () => {
    expect(answerUnjudged(failedHook("it is broken"), "told", {}).block).toBe(
      "Ralph's stop hook failed: it is broken. Nobody verified this stop. Tell the user; if the work is done, stop again.",
    );
    expect(answerUnjudged(failedHook("it is broken."), "named", {}).notice).toBe(
      "Ralph's stop hook failed: it is broken. This stop is NOT verified.",
    );
  });
});

describe("a loop whose state is gone", () => {
  it("is named by the folder where it was", () =>
    expect(lostLoop("/s/one").reason).toBe("The state of this session's Ralph loop is gone from /s/one."));
});
