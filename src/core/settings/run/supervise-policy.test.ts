import { describe, expect, it } from "vitest";
import { settingsSchema } from "../settings.ts";
import { restartLimitsDefault, supervisedSettings, supervisePolicy } from "./supervise-policy.ts";

const settings = settingsSchema.parse({
  agent: { command: "helper", idleTimeout: "30m" },
  guardrails: [{ command: "make", failAction: "APPEND" }],
  scm: { command: "git", tasks: ["commit", "pr"] },
});

describe("the policy of a supervised run", () => {
  it("has the numbers of the document (S3-02, CW-3A, CB-15)", () => {
    expect(supervisePolicy(settings, restartLimitsDefault)).toMatchObject({
      kind: "supervise",
      iterationsMax: 100,
      restartDelayMs: 1000,
      turnIdleMs: null,
      turnWallMs: null,
    });
  });

  it("takes DONE for the claim: no breaker, no delivery (S3-11, CB-05)", () => {
    expect(supervisePolicy(settings, restartLimitsDefault)).toMatchObject({
      claimBy: "done-file",
      failuresMax: null,
      unchangedMax: null,
      hasDelivery: false,
      hasFinalDelivery: false,
    });
  });

  it("takes limits from the command line (S3-03)", () => {
    const limits = { restartsMax: 3, restartDelayMs: 50, turnIdleMs: 7, turnWallMs: 9 };
    expect(supervisePolicy(settings, limits)).toMatchObject({
      iterationsMax: 3,
      restartDelayMs: 50,
      turnIdleMs: 7,
      turnWallMs: 9,
    });
  });

  it("lets the restart delay grow only where restart.backoff says so (S3-07, S3-10)", () => {
    const retryDelayOf = (restart?: { backoff: boolean }): number => {
      const limits = { ...restartLimitsDefault, restartDelayMs: 50 };
      return supervisePolicy(settingsSchema.parse({ ...(restart && { restart }) }), limits).retryDelayMs;
    };
    expect([retryDelayOf(), retryDelayOf({ backoff: false }), retryDelayOf({ backoff: true })]).toEqual([0, 0, 50]);
  });

  it("says nothing about tags in the prompt", () => {
    const { guardrails, scm, completion } = supervisedSettings(settings);
    expect({ guardrails, scm, isTold: completion.instruction }).toEqual({
      guardrails: settings.guardrails,
      scm: null,
      isTold: false,
    });
  });
});
