import { describe, expect, it } from "vitest";
import {
  ask,
  done,
  failing,
  goOn,
  move,
  play,
  plain,
  type Played,
  startAt,
  turn,
  turnStarts,
} from "../../../../tests/engine/play.ts";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { noSpend } from "../../../core/agents/spend.ts";
import { newRun } from "../../../core/run/state.ts";
import { emptyView, foldEntry } from "../../../core/journal/run-view.ts";
import { emptyReport } from "../../../core/agents/turn-report.ts";
import { noClaims } from "../../../core/claims/claim-report.ts";
import { plainAnswer } from "../../../core/run/gate-answer.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { verdict } from "../../../../tests/engine/play.ts";
import { renderRun } from "../../../surfaces/cli/views/render-run.ts";
import { type RunSummary, summarise } from "./run-summary.ts";

/** The record of a played run. */
function record({ state }: Pick<Played, "state">, change: Partial<RunRecord> = {}): RunRecord {
  const run = { ...sampleRun("20261115-204355-k7q2"), state, createdAt: startAt };
  return {
    ...run,
    epoch: 1,
    owner: null,
    expiresAt: null,
    updatedAt: startAt,
    endedAt: null,
    outcome: state.outcome,
    ...change,
  };
}

describe("the summary of a run", () => {
  function check(run: RunRecord, isDriven: boolean, expected: Partial<RunSummary>): void {
    expect(summarise(run, isDriven)).toMatchObject(expected);
  }

  it("has every documented field and nothing else", () => {
    expect(summarise(record(play({}, turnStarts)), true)).toEqual({
      id: "20261115-204355-k7q2",
      project: "/project",
      kind: "run",
      state: "running",
      outcome: null,
      reason: null,
      iteration: 1,
      maxIterations: 3,
      startedAt: "2026-11-15T12:00:00.000Z",
      endedAt: null,
      spend: noSpend,
      topic: "Fix the test ✔",
      agent: "sim",
      model: null,
      activity: "agent at work",
      lastChecks: null,
      waitingFor: null,
      waitingUntil: null,
      next: { words: "Follow it with", command: "ralph logs -f 20261115-204355-k7q2" },
    });
  });

  it("calls a run paused when its pause has taken effect", () => {
    const paused = goOn(play({}), ask("pause"), turn());
    check(record(paused), true, { state: "paused", waitingFor: "a resume" });
    check(record(goOn(play({}, turnStarts), ask("pause"))), true, { state: "running", waitingFor: null });
  });

  it("calls a run whose driver died dead, not interrupted by a signal, and says how to go on (R-44)", () =>
    check(record(play({}, turnStarts)), false, {
      state: "died",
      outcome: null,
      reason: "The driver died. Resume with: ralph resume 20261115-204355-k7q2",
    }));

  it("says until when it waits, and for what", () => {
    check(record(play({ retryDelayMs: 1000 }, failing)), true, {
      waitingFor: "the next try after a failed turn",
      waitingUntil: expect.stringMatching(/^2026-11-15T12:00:0\d/),
    });
    const blocked = play({}, turn({ claims: { ...emptyReport.claims, blocked: "no key" } }));
    check(record(blocked), false, { outcome: "waiting", waitingFor: "an answer", waitingUntil: null });
  });

  it("waits for no answer when a gate could not be asked, only for a resume", () => {
    const stop = { name: "waiting" as const, reason: "The judge is silent." };
    const unasked = move((effectId) => [{ ...plainAnswer([]), stop, type: "gate-finished", effectId }]);
    check(record(play({ criteria: 1 }, done, unasked)), false, {
      outcome: "waiting",
      waitingFor: "a resume",
    });
  });

  it("counts the spend of the turn in flight", () => {
    const live = { ...newRun(plain), spend: { ...noSpend, usd: 1 }, liveSpend: { ...noSpend, usd: 0.5 } };
    check(record({ state: live }), true, { spend: { ...noSpend, usd: 1.5 } });
  });
});

describe("a run shown whole", () => {
  const folder = "/state";

  it("has its evidence: the red check with log and output", () => {
    const observation = { type: "turn-started" as const, effectId: 1, pid: 5, startTime: "1", at: startAt, upMs: 0 };
    const started = foldEntry(emptyView, { kind: "step", at: startAt, observation, effects: [] });
    const output = { text: Array.from({ length: 14 }, (_, index) => `line ${index}`).join("\n") };
    const evidence = "runs/r1/checks/run/001_check_1.log";
    const view = {
      ...started,
      iterations: started.iterations.map((each) => ({
        ...each,
        guardrails: [verdict(0, 0), { ...verdict(2, 1), output, evidence }].map((found) => ({
          ...found,
          gate: found.name,
        })),
      })),
    };
    const run = record(play({ iterationsMax: 1 }, turn()));
    const text = renderRun({ run, summary: summarise(run, false), view, folder }, startAt);
    expect(text).toContain("exhausted: No accepted claim within 1 iteration.");
    expect(text).toContain("green: check 0 (exit code 0");
    expect(text).toContain("red: check 1 (exit code 2");
    expect(text).toContain(`log: ${folder}/${evidence}`);
    expect(text).not.toContain(".ralph/guardrail");
    expect(text).toContain("| line 11\n");
    expect(text).not.toContain("| line 12");
    expect(text).toContain("2 more lines in the log");
  });

  it("says that a turn claimed only when it did", () => {
    const run = record(play({}, turnStarts));
    const shown = (claims: Partial<typeof noClaims>): string => {
      const at = { at: startAt, upMs: 0, effectId: 1 };
      const report = { ...emptyReport, exitCode: 0, claims: { ...noClaims, ...claims } };
      const steps = [
        { type: "turn-started" as const, pid: 5, startTime: "1", ...at },
        { type: "turn-ended" as const, report, ...at },
      ];
      const entries = steps.map((observation) => ({ kind: "step" as const, at: startAt, observation, effects: [] }));
      return renderRun(
        { run, summary: summarise(run, true), view: entries.reduce(foldEntry, emptyView), folder },
        startAt,
      );
    };
    expect(shown({ isPromised: true })).toContain("claimed to be done");
    expect(shown({ response: "NOT YET" })).not.toContain("claimed to be done");
    expect(shown({ wrongPromise: "OK" })).toContain("wrong promise 'OK'");
    expect(shown({ question: "Which?" })).toContain("asks: Which?");
  });

  it("names a delivery problem and the starting commit", () => {
    const state = { ...play({}, turnStarts).state, deliveryProblem: "push exited with code 1" };
    const run = record({ state }, { frozen: { ...sampleRun("x").frozen, startCommit: "c0ffee" } });
    const text = renderRun({ run, summary: summarise(run, true), view: emptyView, folder }, startAt);
    expect(text).toContain("delivery: push exited with code 1");
    expect(text).toContain("started at commit c0ffee");
  });
});
