import { sessionGates } from "../../contract/session-checks.ts";
import { describe, expect, it } from "vitest";
import {
  areContinued,
  defaultRalphLoopConfig,
  mergeLoopConfig,
  planLoop,
  ralphLoopHookName,
  sessionPolicy,
} from "./loop-config.ts";

describe("mergeLoopConfig", () => {
  it("has the defaults of a hook (S0-02, S0-03)", () => {
    expect(mergeLoopConfig()).toEqual({
      enabled: true,
      defaultMaxIterations: 100,
      defaultCompletionPromise: "DONE",
      continuationDelay: 500,
    });
    expect(ralphLoopHookName).toBe("ralph-loop");
  });

  it("lets a given key win, and only a given one (S0-04)", () =>
    expect(mergeLoopConfig({ enabled: false, continuationDelay: 0, stateDir: "x" })).toEqual({
      ...defaultRalphLoopConfig,
      enabled: false,
      continuationDelay: 0,
      stateDir: "x",
    }));
});

describe("planLoop", () => {
  const asked = { sessionId: "s1", prompt: "Fix it", options: {}, startedAt: "2026-11-15T12:00:00.000Z" };

  function check(given: Parameters<typeof planLoop>[1]["options"], expected: unknown): void {
    const plan = planLoop(mergeLoopConfig(), { ...asked, options: given });
    expect(typeof plan === "string" ? plan : [plan.maxIterations, plan.completionPromise]).toEqual(expected);
  }

  it("takes what is left out from the configuration (S0-05)", () => check({}, [100, "DONE"]));

  it("takes what is given (S0-43)", () =>
    check({ maxIterations: 50, completionPromise: "REFACTOR_COMPLETE" }, [50, "REFACTOR_COMPLETE"]));

  it("does not replace 0 or an empty text, but refuses them (S0-05, CW-0I, R-09, R-53)", () => {
    check({ maxIterations: 0 }, "maxIterations is 0, expected a whole number of at least 1");
    check({ maxIterations: -1 }, "maxIterations is -1, expected a whole number of at least 1");
    check({ maxIterations: Number.NaN }, "maxIterations is NaN, expected a whole number of at least 1");
    check({ maxIterations: 1.5 }, "maxIterations is 1.5, expected a whole number of at least 1");
    check({ completionPromise: "" }, "completionPromise is blank, expected a text such as DONE");
    check({ completionPromise: " \n" }, "completionPromise is blank, expected a text such as DONE");
  });

  it("starts nothing when it is disabled, for nobody, or with an endless delay (CW-0I, R-21)", () => {
    expect(planLoop(mergeLoopConfig({ enabled: false }), asked)).toContain("disabled");
    expect(planLoop(mergeLoopConfig(), { ...asked, sessionId: "undefined" })).toContain("names no session");
    expect(planLoop(mergeLoopConfig({ continuationDelay: -1 }), asked)).toContain("continuationDelay is -1");
  });
});

describe("sessionPolicy", () => {
  it("continues in one context, and hears promises only (CB-06)", () =>
    expect(
      sessionPolicy(
        { maxIterations: 3, completionPromise: "OK" },
        { continuationDelay: 500, gates: sessionGates(2), contractHash: "" },
      ),
    ).toMatchObject({
      kind: "session",
      iterationsMax: 3,
      completionText: "OK",
      signals: ["promise"],
      context: "continue",
      restartDelayMs: 500,
      gates: [{ id: "session-checks", when: "on-claim" }],
    }));
});

describe("a configuration", () => {
  it("continues loops unless it is disabled (S0-02)", () =>
    expect([true, false].map((enabled) => areContinued({ enabled }))).toEqual([true, false]));
});
