import { describe, expect, it } from "vitest";
import { prdPolicy, prdSettings } from "./prd-policy.ts";
import { settingsSchema } from "../settings.ts";

const settings = settingsSchema.parse({
  agent: { command: "helper", context: "continue" },
  guardrails: [{ command: "make", failAction: "PREPEND" }],
});
const given = { iterations: null, verifyCommands: ["npm test", "make", " npm test ", ""] };

describe("the policy of a run on a task list", () => {
  const policy = prdPolicy(prdSettings(settings, given));

  it("has the numbers of the document (S4-05, CW-4K, R-110)", () =>
    expect(policy).toMatchObject({
      kind: "prd",
      iterationsMax: 15,
      completionText: "COMPLETE",
      signals: ["promise"],
      unchangedMax: 3,
      emptyTurnsMax: 3,
      claimBy: "gate",
    }));

  it("stops after turns without a change as set, or never where that is switched off", () => {
    const unchangedMax = (noProgress: number | null): number | null =>
      prdPolicy(prdSettings(settingsSchema.parse({ breaker: { noProgress } }), given)).unchangedMax;
    expect([unchangedMax(7), unchangedMax(null)]).toEqual([7, null]);
  });

  it("begins every turn in a fresh context, whatever the settings say (S4-07, CB-06)", () =>
    expect(policy.context).toBe("reset"));

  it("counts the commands of the list as guardrails, each once", () => {
    expect(prdSettings(settings, given).guardrails).toEqual([
      { command: "make", failAction: "PREPEND" },
      { command: "npm test", failAction: "APPEND" },
    ]);
  });

  it("takes a number of iterations that somebody gave", () =>
    expect(prdPolicy(prdSettings(settings, { ...given, iterations: 4 })).iterationsMax).toBe(4));
});
