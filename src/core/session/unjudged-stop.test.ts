import { describe, expect, it } from "vitest";
import { answerUnjudged, brokenLoop, heardAfter, unwrittenLoop, wasTold } from "./unjudged-stop.ts";

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
