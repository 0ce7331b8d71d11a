import { describe, expect, it } from "vitest";
import { parseSettings } from "../settings/parse-settings.ts";
import type { CompletionSpec, Criterion } from "../tasks/criteria/completion-spec.ts";
import { type Role, roles } from "../tasks/criteria/role.ts";
import { roleTerms, type RoleTerms } from "./role-terms.ts";

const spec: CompletionSpec = { outcome: "It works.", acceptanceCriteria: ["It is fast"], criteria: {} };
const own: Criterion = {
  promise: "MINE",
  description: "",
  maxIterations: 7,
  verification: { method: "string_match", promise: null, isLoose: false },
};

function terms(role: Role, value: unknown, completion: CompletionSpec | null = spec): RoleTerms {
  return roleTerms({ title: "T", completion }, role, parseSettings([{ source: "test", value }]));
}

describe("the terms of a role", () => {
  const check = (value: unknown, expected: [method: string, limit: number, note: string | null][], completion = spec) =>
    expect(
      roles.map((role) => {
        const { criterion, iterationsMax, note } = terms(role, value, completion);
        return [criterion.verification.method, iterationsMax, note];
      }),
    ).toEqual(expected);

  it("are those of the document with a command for all (S2-43, S2-44)", () =>
    check({ verifyCommand: "make" }, [
      ["external", 15, null],
      ["semantic", 5, null],
      ["external", 10, null],
      ["multi_stage", 5, null],
    ]));

  it("take methods, promises and limits from the document's names (S2-09, S2-42, S2-46)", () => {
    const coder = { default_verification: "semantic", default_promise: "CODED", max_iterations: 3, enabled: true };
    const value = { ralph: { default_verification: "string_match", agents: { coder } } };
    check(value, [
      ["semantic", 3, null],
      ["string_match", 5, null],
      ["string_match", 10, null],
      ["string_match", 5, null],
    ]);
    expect(terms("coder", value).criterion.promise).toBe("CODED");
    expect(terms("coder", { work: { promises: { coder: "CODED" } } }).criterion.promise).toBe("CODED");
  });

  it("say why a method that is named is not used (S2-44)", () => {
    check({ verification: { default: "external" } }, [
      ["semantic", 15, "external needs verifyCommand; semantic is used"],
      ["semantic", 5, "external needs verifyCommand; semantic is used"],
      ["semantic", 10, "external needs verifyCommand; semantic is used"],
      ["semantic", 5, "external needs verifyCommand; semantic is used"],
    ]);
    const { note } = terms("qa", { work: { verification: { qa: "semantic" } } }, null);
    expect(note).toBe("semantic needs acceptance criteria; string_match is used");
  });

  it("are one iteration where the loop or the role is switched off, with the same criterion (S2-46)", () => {
    const limits = (value: unknown) =>
      roles.map((role) => terms(role, value, { ...spec, criteria: { coder: own } }).iterationsMax);
    expect(limits({ ralph: { enabled: false } })).toEqual([1, 1, 1, 1]);
    expect(limits({ ralph: { coder: { enabled: false } } })).toEqual([1, 5, 10, 5]);
    expect(limits({ work: { loops: { qa: false } } })).toEqual([7, 5, 10, 1]);
    const off = terms("tester", { loop: { enabled: false }, verifyCommand: "make" });
    expect(off).toMatchObject({
      isLooped: false,
      criterion: { verification: { method: "external", command: "make" } },
    });
  });

  it("take a limit that the task gives without a criterion (S2-09)", () => {
    const { criterion, iterationsMax, isOwn } = terms("tester", {}, { ...spec, limits: { tester: 2 } });
    expect([criterion.promise, iterationsMax, isOwn]).toEqual(["TESTS_PASSED", 2, false]);
  });

  it("leave the criterion of the task as it is (S2-09)", () => {
    const value = {
      verification: { default: "external" },
      work: { promises: { coder: "OTHER" } },
      verifyCommand: "make",
    };
    const found = terms("coder", value, { ...spec, criteria: { coder: own } });
    expect(found).toMatchObject({ isOwn: true, iterationsMax: 7, note: null, criterion: { promise: "MINE" } });
  });

  it("hold for settings that an earlier version froze", () => {
    const { loop: _loop, ...rest } = parseSettings([]);
    const { loops: _loops, promises: _promises, verification: _verification, ...work } = rest.work;
    expect(roleTerms({ title: "T", completion: spec }, "qa", { ...rest, work })).toMatchObject({
      iterationsMax: 5,
      criterion: { promise: "QA_PASSED" },
    });
  });
});
