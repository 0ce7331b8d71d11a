import { describe, expect, it } from "vitest";
import { isStandingBack, mayLoop } from "./inside-run.ts";

describe("a session inside a run", () => {
  it("has no loop of its own (CB-06)", () => expect([mayLoop(null), mayLoop("r1")]).toEqual([true, false]));

  it("is left to the hooks that the run gave its agent", () => {
    expect(isStandingBack({ runId: "r1", isForRun: false })).toBe(true);
    expect(isStandingBack({ runId: "r1", isForRun: true })).toBe(false);
    expect(isStandingBack({ runId: null, isForRun: false })).toBe(false);
  });
});
