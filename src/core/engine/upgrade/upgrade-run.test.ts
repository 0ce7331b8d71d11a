import { describe, expect, it } from "vitest";
import type { Policy } from "../policy.ts";
import { newRun, runStateVersion } from "../state.ts";
import { runPolicy } from "../../settings/run-policy.ts";
import { settingsSchema } from "../../settings/settings.ts";
import { isRefusal, upgradeEntry, upgradeRun, upgradeSteps } from "./upgrade-run.ts";
import type { Fields } from "./upgrade-step.ts";

const settings = settingsSchema.parse({ guardrails: [{ command: "true", failAction: "APPEND" }] });
const policy = runPolicy(settings);
const prompt = { kind: "text", text: "Do it" };
const frozen = { version: "0.1.0", projectDir: "/p", prompt, settings, settingsFiles: {}, policy, startCommit: null };
const state = newRun(policy);

/** What the first stores knew of a state, its policy and its settings. */
function firstRun(): { state: Fields; frozen: Fields } {
  const lacking = (value: object, names: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));
  const oldPolicy = lacking(policy, ["hasBaseline", "canReject", "emptyTurnsMax", "settling"]);
  const later = ["tasks", "isListOpen", "afterRepair", "baseline", "attempts", "emptyInRow", "unsettled"];
  return {
    state: { ...lacking(state, later), version: 1, policy: oldPolicy },
    frozen: {
      ...frozen,
      policy: oldPolicy,
      settings: lacking(settings, ["verification", "review", "baseline", "work", "missingSpec", "verifyCommand"]),
    },
  };
}

function problemOf(stored: { state: unknown; frozen: unknown }): string | null {
  const result = upgradeRun(stored);
  return isRefusal(result) ? result.problem : null;
}

describe("upgradeRun", () => {
  it("has one step for each version before this one", () => expect(upgradeSteps).toHaveLength(runStateVersion - 1));

  it("takes a run of this version as it is", () =>
    expect(upgradeRun({ state, frozen })).toEqual({ state, frozen, from: runStateVersion }));

  it("fills in what the first stores did not know, so that the run behaves as it did", () =>
    expect(upgradeRun(firstRun())).toEqual({ state, frozen, from: 1 }));

  it("refuses what a newer version stored, and what names no version", () => {
    expect(upgradeRun({ state: { ...state, version: 99 }, frozen })).toEqual({
      version: 99,
      problem: `this ralph knows versions up to ${runStateVersion}`,
    });
    for (const version of [undefined, "2", 0, 1.5])
      expect(problemOf({ state: { ...state, version }, frozen })).not.toBeNull();
    expect(problemOf({ state: null, frozen })).toBe("its state names no version");
  });

  it.each<keyof Policy>([
    "kind",
    "guardrailCount",
    "criterionCount",
    "hasTasks",
    "hasChildren",
    "hasMarkers",
    "hasDelivery",
    "requireProgress",
  ])("never invents %s: a run without it is refused", (field) => {
    const { state: stored, frozen: started } = firstRun();
    const lacking = Object.fromEntries(Object.entries(policy).filter(([key]) => key !== field));
    expect(problemOf({ state: { ...stored, policy: lacking }, frozen: started })).toMatch(`policy.${field} is`);
    expect(problemOf({ state: stored, frozen: { ...started, policy: lacking } })).toMatch(`policy.${field} is`);
  });

  it("refuses a state with fewer gates than the run was started with", () =>
    expect(problemOf({ state: { ...state, policy: { ...policy, guardrailCount: 0 } }, frozen })).toBe(
      "guardrailCount differs between the frozen run and its state",
    ));

  it("refuses a run whose checks nobody can tell any more", () =>
    expect(problemOf({ state, frozen: { ...frozen, settings: {} } })).toBe("the frozen run names no guardrails"));
});

describe("upgradeEntry", () => {
  it("fills in what an old entry did not know", () => {
    const observation = { type: "turn-ended", effectId: 1, at: 1, upMs: 1, report: { claims: {} } };
    const effects = [{ type: "begin-turn", id: 1 }];
    expect(upgradeEntry({ observation, effects }, 1)).toEqual({
      observation: { ...observation, report: { isEmpty: false, claims: { rejected: null } } },
      effects: [{ type: "begin-turn", id: 1, attempts: [], assignment: null }],
    });
  });

  it("leaves an entry of this version alone and knows none of a newer one", () => {
    const body = { level: "info", text: "x" };
    expect(upgradeEntry(body, runStateVersion)).toEqual(body);
    expect(upgradeEntry(body, runStateVersion + 1)).toBeNull();
  });
});
