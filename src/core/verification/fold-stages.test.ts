import { describe, expect, it } from "vitest";
import { endsStages, foldStages, needsAnswer } from "./fold-stages.ts";
import type { StageVerdict } from "./verdict.ts";

/** `tests!` failed, `style?` is optional, `style?!` is both. */
function stage(text: string): StageVerdict {
  const isPassed = !text.endsWith("!");
  return {
    name: text.replace(/[?!]/g, ""),
    method: "external",
    isPassed,
    isRequired: !text.includes("?"),
    reason: isPassed ? "ok" : "verified and passed",
    exitCode: isPassed ? 0 : 1,
    durationMs: 1,
    logFile: null,
  };
}

describe("stages together", () => {
  const check = (stages: string[], requireAll: boolean, isPassed: boolean, reason: string): void => {
    expect(foldStages(stages.map(stage), { stageCount: stages.length, requireAll })).toEqual({ isPassed, reason });
  };

  it.each([
    [["a", "b"], true, true, "All 2 verification stages passed"],
    [["tests_passed!"], true, false, "Stage 'tests_passed' failed: verified and passed"],
    [["a!", "b!"], true, false, "Stage 'a' failed: verified and passed"],
    [["a!", "b", "c!"], false, false, "Failed stages: a: verified and passed; c: verified and passed"],
    [["a", "b?!"], true, true, "1/2 verification stages passed (optional failed: b: verified and passed)"],
    [["a!", "b?!"], false, false, "Failed stages: a: verified and passed"],
    [[], true, false, "Only 0 of 0 verification stages ran"],
  ] as const)(
    "%j with require_all %s (S2-36, S2-37, S2-38, S2-39, CW-2G, R-70)",
    (stages, requireAll, isPassed, reason) => check([...stages], requireAll, isPassed, reason),
  );

  it("do not pass when one never ran (CW-2G)", () => {
    expect(foldStages([stage("a")], { stageCount: 2, requireAll: true }).isPassed).toBe(false);
  });
});

describe("stages that are still to run", () => {
  it("do not begin after a required one failed, when all are required (S2-39)", () => {
    expect(endsStages({ isRequired: true, isPassed: false }, true)).toBe(true);
    expect(endsStages({ isRequired: true, isPassed: false }, false)).toBe(false);
    expect(endsStages({ isRequired: false, isPassed: false }, true)).toBe(false);
    expect(endsStages({ isRequired: true, isPassed: true }, true)).toBe(false);
  });

  it("wait for a judge without an answer only where it decides: not for an optional stage, not after a red one (S2-39)", () => {
    const red = { isRequired: true, isPassed: false };
    expect(needsAnswer({ isRequired: true }, [])).toBe(true);
    expect(needsAnswer({ isRequired: true }, [{ ...red, isRequired: false }])).toBe(true);
    expect(needsAnswer({ isRequired: true }, [red])).toBe(false);
    expect(needsAnswer({ isRequired: false }, [])).toBe(false);
  });
});
