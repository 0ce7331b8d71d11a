import { describe, expect, it } from "vitest";
import { version2 } from "../../../../tests/replay/version-2-run.ts";
import { policyGates } from "../../contract/contract.ts";
import { guardrailGates } from "../../contract/guardrail.ts";
import { runPolicy } from "../../settings/run/run-policy.ts";
import { settingsSchema } from "../../settings/settings.ts";
import type { Policy } from "../policy.ts";
import { newRun, runStateVersion } from "../state.ts";
import { isRefusal, upgradeEntry, upgradeRun, upgradeSteps } from "./upgrade-run.ts";
import type { Fields } from "./upgrade-step.ts";

const settings = settingsSchema.parse({ guardrails: [{ command: "true", failAction: "APPEND" }] });
const gates = guardrailGates({
  surface: "run",
  settings,
  settingsFiles: {},
  verifyCommandsFrom: null,
  role: null,
  projectCriteria: [],
  hasBaseline: false,
});
const policy: Policy = { ...runPolicy(settings), gates: policyGates(gates), contract: { revision: 1, hash: "h" } };
const prompt = { kind: "text", text: "Do it" };
const contract = { revision: 1, hash: "h", gates };
const started = { version: "0.1.0", projectDir: "/p", prompt, settings, settingsFiles: {}, startCommit: null };
const frozen = { ...started, policy, contract };
const state = newRun(policy);

const lacking = (value: object, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));

/** What the first stores knew of a state, its policy and its settings. */
function firstRun(): { state: Fields; frozen: Fields } {
  const { state: stored, frozen: begun } = version2();
  const oldPolicy = lacking(begun["policy"] as Fields, ["hasBaseline", "canReject", "emptyTurnsMax", "settling"]);
  const later = ["tasks", "isListOpen", "afterRepair", "baseline", "attempts", "emptyInRow", "unsettled"];
  const laterSettings = ["verification", "review", "baseline", "work", "missingSpec", "verifyCommand"];
  return {
    state: { ...lacking(stored, later), version: 1, policy: oldPolicy },
    frozen: { ...begun, policy: oldPolicy, settings: lacking(begun["settings"] as Fields, laterSettings) },
  };
}

function upgrade(stored: { state: unknown; frozen: unknown }): ReturnType<typeof upgradeRun> {
  return upgradeRun(stored, () => "h");
}

function problemOf(stored: { state: unknown; frozen: unknown }): string | null {
  const result = upgrade(stored);
  return isRefusal(result) ? result.problem : null;
}

describe("upgradeRun", () => {
  it("has one step for each version before this one", () => expect(upgradeSteps).toHaveLength(runStateVersion - 1));

  it("takes a run of this version as it is", () =>
    expect(upgrade({ state, frozen })).toEqual({ state, frozen, from: runStateVersion }));

  it("fills in what the first stores did not know, so that the run behaves as it did", () => {
    const from = (each: object) => ({ ...each, origin: "version 1" });
    const own = { ...policy, gates: policy.gates.map(from) };
    const judge = { ...settings.verification.judge, tries: 2 };
    const verification = { ...lacking(settings.verification, ["default"]), onJudgeError: "reject", judge };
    const work = lacking(settings.work, ["loops", "promises", "verification"]);
    const then = { ...settings, verification, work };
    expect(upgrade(firstRun())).toEqual({
      state: { ...state, policy: own },
      frozen: { ...started, settings: then, policy: own, contract: { ...contract, gates: gates.map(from) } },
      from: 1,
    });
  });

  it("refuses what a newer version stored, and what names no version", () => {
    expect(upgrade({ state: { ...state, version: 99 }, frozen })).toEqual({
      version: 99,
      problem: `this ralph knows versions up to ${runStateVersion}`,
    });
    for (const version of [undefined, "2", 0, 1.5])
      expect(problemOf({ state: { ...state, version }, frozen })).not.toBeNull();
    expect(problemOf({ state: null, frozen })).toBe("its state names no version");
  });

  it.each([
    "kind",
    "guardrailCount",
    "criterionCount",
    "hasTasks",
    "hasChildren",
    "hasMarkers",
    "hasDelivery",
    "requireProgress",
  ])("never invents %s: a run of an older version without it is refused", (field) => {
    for (const { state: stored, frozen: begun } of [firstRun(), version2()]) {
      const old = lacking(begun["policy"] as Fields, [field]);
      const problem = new RegExp(`policy\\.${field} is (not|none)`);
      expect(problemOf({ state: { ...stored, policy: old }, frozen: begun })).toMatch(problem);
      expect(problemOf({ state: stored, frozen: { ...begun, policy: old } })).toMatch(problem);
    }
  });

  it.each<keyof Policy>(["kind", "gates", "claimBy", "contract", "hasDelivery", "requireProgress"])(
    "never invents %s: a run of this version without it is refused",
    (field) => {
      expect(problemOf({ state: { ...state, policy: lacking(policy, [field]) }, frozen })).toMatch(
        `policy.${field} is`,
      );
      expect(problemOf({ state, frozen: { ...frozen, policy: lacking(policy, [field]) } })).toMatch(
        `policy.${field} is`,
      );
    },
  );
});

describe("upgradeEntry", () => {
  it("fills in what an old entry did not know", () => {
    const observation = { type: "turn-ended", effectId: 1, at: 1, upMs: 1, report: { claims: {} } };
    const effects = [{ type: "begin-turn", id: 1, feedback: [] }];
    expect(upgradeEntry({ observation, effects }, 1)).toEqual({
      observation: { ...observation, report: { isEmpty: false, claims: { rejected: null } } },
      effects: [{ type: "begin-turn", id: 1, feedback: [], refusal: null, attempts: [], assignment: null }],
    });
  });

  it("leaves an entry of this version alone and knows none of a newer one", () => {
    const body = { level: "info", text: "x" };
    expect(upgradeEntry(body, runStateVersion)).toEqual(body);
    expect(upgradeEntry(body, runStateVersion + 1)).toBeNull();
  });
});
