import { describe, expect, it } from "vitest";
import { emptyReport } from "../../agents/turn-report.ts";
import { parseSettings } from "../../settings/parse-settings.ts";
import { runPolicy } from "../../settings/run/run-policy.ts";
import { newRun, type RunState, runStateVersion } from "../state.ts";
import { upgradeEntry, upgradeRun } from "./upgrade-run.ts";

const settings = parseSettings([]);
const contract = { revision: 1, hash: "", gates: [] };
const started = { version: "0", projectDir: "/p", prompt: { kind: "text", text: "p" }, settings, settingsFiles: {} };
const policy = { ...runPolicy(settings), claimBy: "done-file" as const };
const limits = { idleMs: null, wallMs: null, resultGraceMs: 0 };
const turn = { type: "begin-turn" as const, id: 1, iteration: 1, iterationsMax: 1, feedback: [], refusal: null };
const pending = { ...turn, attempts: [], assignment: null, sessionId: null, limits, isRecheck: true };
const supervised = { isDone: true, waiting: null };
const startError = { kind: "task-file" as const, message: "DONE is a directory" };
const report = { ...emptyReport, supervised, startError };
const base = newRun(policy);
const state: RunState = {
  ...base,
  pending,
  facts: { ...base.facts, report },
  afterGates: { pending, isHeld: false },
};

/** The same as version 3 stored it. */
function asVersion3(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(`"version":${runStateVersion}`, '"version":3')
    .replaceAll('"claimBy":"done-file"', '"claimBy":"marker"')
    .replaceAll('"id":1,"iteration":1', '"isLookOnly":true,"id":1,"iteration":1')
    .replaceAll(',"isRecheck":true', "")
    .replaceAll('"supervised":', '"markers":')
    .replaceAll('"kind":"task-file"', '"kind":"marker"');
  return JSON.parse(text);
}

const sha256 = (text: string): string => text;

describe("a run of version 3", () => {
  it("is the same under the names of today", () => {
    expect(upgradeRun({ state: asVersion3(state), frozen: null }, sha256)).toEqual({ state, frozen: null, from: 3 });
  });

  it("keeps what its frozen policy says of a claim", () => {
    const stored = { state: asVersion3(base), frozen: asVersion3({ ...started, policy, contract }) };
    expect(upgradeRun(stored, sha256)).toMatchObject({ frozen: { policy: { claimBy: "done-file" } } });
  });

  it("folds on: orders, reports and upgraded states of its journal have the names of today", () => {
    const step = { observation: { type: "turn-ended", report }, effects: [pending, { type: "end-run", id: 2 }] };
    expect(upgradeEntry(asVersion3(step) as Record<string, unknown>, 3)).toEqual(step);
    const note = { text: "t", upgraded: { from: 2, to: 3, state } };
    expect(upgradeEntry(asVersion3(note) as Record<string, unknown>, 3)).toEqual(note);
    const resumed = { observation: { type: "run-resumed", takenOver: state }, effects: [] };
    expect(upgradeEntry(asVersion3(resumed) as Record<string, unknown>, 3)).toEqual(resumed);
  });
});
