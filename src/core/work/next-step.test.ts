import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutcomeName } from "../run/outcome.ts";
import { backFromTip, firstStep, type NextStep, nextStep, type RoleEnd, type WorkRules } from "./next-step.ts";
import { type Role, roles } from "../tasks/criteria/role.ts";
import type { TaskProgress } from "../tasks/task.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

const all: WorkRules = { roles, rounds: 3 };

function at(role: Role, round = 1): TaskProgress {
  return { role, round, reasons: [], runId: "run", note: "" };
}

function end(name: OutcomeName, rejected: string | null = null): RoleEnd {
  return { outcome: { name, reason: "why" }, rejected };
}

/** `reviewer 1` for a role and its round, `done completed` for an end. */
function said(step: NextStep): string {
  return step.kind === "role" ? `${step.progress.role} ${step.progress.round}` : `${step.status} ${step.outcome.name}`;
}

describe("the way of a task through its roles", () => {
  const check = (given: { from: TaskProgress; end: RoleEnd; rules?: WorkRules }, expected: string): void =>
    expect(said(nextStep(given.from, given.end, given.rules ?? all))).toBe(expected);

  it("goes from role to role, each after the one before was verified (S2-61, CB-16)", () => {
    check({ from: at("coder"), end: end("completed") }, "reviewer 1");
    check({ from: at("reviewer"), end: end("completed") }, "tester 1");
    check({ from: at("tester"), end: end("completed") }, "qa 1");
    check({ from: at("qa"), end: end("completed") }, "done completed");
  });

  it("knows only the roles it is given, in the order of the work (S2-46)", () => {
    const rules: WorkRules = { roles: ["qa", "coder"], rounds: 3 };
    check({ from: at("coder"), end: end("completed"), rules }, "qa 1");
    expect(firstStep(null, rules)?.role).toBe("coder");
  });

  it("sends a rejected task back to the coder with the reason (CB-16)", () => {
    const step = nextStep(at("tester"), end("waiting", "no test for expiry"), all);
    expect(said(step)).toBe("coder 2");
    expect(step.progress.reasons).toEqual([{ role: "tester", round: 1, text: "no test for expiry" }]);
  });

  it("sends a task back when a later role is out of iterations, and fails it when the coder is (CW-2C, R-66)", () => {
    check({ from: at("reviewer"), end: end("exhausted") }, "coder 2");
    check({ from: at("coder"), end: end("exhausted") }, "failed exhausted");
  });

  it("sends a task back whose merged tip is red, with the reason and without what was verified before", () => {
    const evidence = [{ role: "qa" as const, checks: ["npm test"] }];
    const from = { ...at("qa"), evidence, tip: { before: "abc", undoing: { merge: "def", reason: "red" } } };
    const step = backFromTip(from, "red together", all);
    expect(step).toEqual({
      kind: "role",
      progress: { ...at("coder", 2), runId: null, reasons: [{ role: "merge", round: 1, text: "red together" }] },
    });
    const last = backFromTip({ ...from, round: 4 }, "red together", all);
    expect([said(last), last.progress.note]).toEqual([
      "failed exhausted",
      "exhausted: Sent back 3 times; the merge again: red together",
    ]);
  });

  it("says what done rests on, of this round alone (honest words)", () => {
    const rules: WorkRules = { roles: ["coder", "reviewer"], rounds: 3 };
    const first = nextStep(at("coder"), { ...end("completed"), checks: ["npm test"] }, rules);
    const back = nextStep(first.progress, end("waiting", "no"), rules);
    expect(back.progress.evidence).toBeUndefined();
    const again = nextStep(back.progress, { ...end("completed"), checks: ["npm test"] }, rules);
    const last = nextStep(again.progress, end("completed"), rules);
    expect(last.kind === "end" && last.outcome.reason).toBe(
      "Verified: coder by npm test; reviewer by its word only. Not asked: tester and qa.",
    );
  });

  it("fails a task that was sent back as often as it may be (S2-63)", () => {
    check({ from: at("qa", 3), end: end("waiting", "no") }, "coder 4");
    check({ from: at("qa", 4), end: end("waiting", "no") }, "failed exhausted");
    check({ from: at("qa"), end: end("waiting", "no"), rules: { roles: ["qa"], rounds: 3 } }, "failed exhausted");
  });

  it.each(["interrupted", "stopped", "failed", "waiting", "cancelled"] as const)(
    "keeps the place of a task that is %s (S2-54, R-43)",
    (name) => {
      const step = nextStep(at("tester", 2), end(name), all);
      expect(said(step)).toBe(`ready ${name}`);
      expect(step.progress).toMatchObject({ role: "tester", round: 2, runId: "run" });
    },
  );

  it("begins with the first role, and goes on where a former work stopped (CW-2L)", () => {
    expect(firstStep(null, all)).toMatchObject({ role: "coder", round: 1 });
    expect(firstStep(at("tester", 2), all)).toMatchObject({ role: "tester", round: 2 });
    expect(firstStep(at("tester", 2), { roles: ["coder"], rounds: 1 })).toMatchObject({ role: "coder", round: 1 });
    expect(firstStep(null, { roles: [], rounds: 1 })).toBeNull();
  });
});

describe("every way of a task", () => {
  const ends = fc.constantFrom<RoleEnd>(end("completed"), end("exhausted"), end("waiting", "no"), end("waiting"));
  const rules = fc.record({ roles: fc.subarray([...roles], { minLength: 1 }), rounds: fc.integer({ min: 1, max: 5 }) });

  /** Plays ends until the task's way is over; every further end is a completion. */
  function play(given: WorkRules, script: readonly RoleEnd[]): { step: NextStep; path: [string, RoleEnd][] } {
    const path: [string, RoleEnd][] = [];
    const start = firstStep(null, given);
    if (start === null) throw new Error("no role");
    let step: NextStep = { kind: "role", progress: start };
    while (step.kind === "role") {
      const { progress }: { progress: TaskProgress } = step;
      const next = script[path.length] ?? end("completed");
      path.push([`${progress.role} ${progress.round}`, next]);
      step = nextStep(progress, next, given);
    }
    return { step, path };
  }

  it("ends within its rounds (S2-63)", () => {
    fc.assert(
      fc.property(rules, fc.array(ends, { maxLength: 60 }), (given, script) => {
        expect(play(given, script).path.length).toBeLessThanOrEqual(given.roles.length * (given.rounds + 1));
      }),
    );
  });

  it("never skips a role, and is never done without every role verified in the last round (CB-07, CB-16)", () => {
    fc.assert(
      fc.property(rules, fc.array(ends, { maxLength: 60 }), (given, script) => {
        const { step, path } = play(given, script);
        if (step.kind !== "end" || step.status !== "done") return;
        const expected = roles
          .filter((role) => given.roles.includes(role))
          .map((role) => `${role} ${step.progress.round}`);
        const last = path.slice(-expected.length);
        expect(last.map(([place]) => place)).toEqual(expected);
        expect(last.every(([, { outcome }]) => outcome.name === "completed")).toBe(true);
      }),
    );
  });
});
