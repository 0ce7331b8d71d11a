import { describe, expect, it } from "vitest";
import { readTask } from "../../../core/tasks/read-task.ts";
import { settingsSchema } from "../../../core/settings/settings.ts";
import { hasDefinitionFlags, withFlags as withFlagsAnd } from "./definition-flags.ts";

const base = { id: "a", spec: "s", title: "T" };
const { promises } = settingsSchema.parse({}).work;
const withFlags = (document: Record<string, unknown>, options: Record<string, unknown>) =>
  withFlagsAnd(document, options, promises);
const needed = { outcome: "It works", acceptance: ["one", "two"] };

describe("flags of a task", () => {
  const completionOf = (options: Record<string, unknown>) => {
    const read = readTask(withFlags(base, options));
    if (!("task" in read)) throw new Error(JSON.stringify(read.problems));
    return read.task.completion;
  };

  it("say outcome, criteria and for each role what it claims and how that is verified (S2-49)", () => {
    const completion = completionOf({
      ...needed,
      coderPromise: "CODED",
      coderVerify: "external",
      coderVerifyCmd: ["npm test"],
      reviewerPromise: "REVIEWED",
      reviewerVerify: "semantic",
      testerVerify: "string_match",
      qaVerify: "multi_stage",
      qaVerifyCmd: ["make", "make check"],
    });
    expect(completion).toMatchObject({
      outcome: "It works",
      acceptanceCriteria: ["one", "two"],
      criteria: {
        coder: { promise: "CODED", verification: { method: "external", command: "npm test" } },
        reviewer: { promise: "REVIEWED", verification: { method: "semantic" } },
        tester: { promise: "TESTS_PASSED", verification: { method: "string_match" } },
        qa: {
          verification: {
            stages: [
              { verification: { command: "make" } },
              { verification: { command: "make check" } },
              { name: "acceptance", verification: { checkFor: ["{{acceptance_criteria}}"] } },
            ],
          },
        },
      },
    });
  });

  it.each([
    [{ coderVerifyCmd: ["x"] }, "external"],
    [{ coderVerifyCmd: ["x", "y"] }, "multi_stage"],
    [{ coderPromise: "X" }, "semantic"],
  ])("choose a method that can succeed when none is named: %o (CW-2F)", (flags, method) => {
    expect(completionOf({ ...needed, ...flags })?.criteria.coder?.verification.method).toBe(method);
  });

  it("give a role a limit without a criterion, and a criterion afterwards (S2-09, S2-49)", () => {
    expect(completionOf({ ...needed, coderMaxIterations: "6" })).toMatchObject({ criteria: {}, limits: { coder: 6 } });
    const limited = withFlags(base, { ...needed, coderMaxIterations: "6" });
    const read = readTask(withFlags(limited, { coderVerifyCmd: ["make"] }));
    expect(read).toMatchObject({
      task: { completion: { criteria: { coder: { maxIterations: 6, verification: { command: "make" } } } } },
    });
    expect(() => completionOf({ ...needed, coderMaxIterations: "many" })).toThrow("coder.max_iterations");
  });

  it("take the promise of the settings for a role without one (S2-42)", () => {
    const flags = { ...needed, coderVerifyCmd: ["true"], reviewerVerify: "semantic" };
    const read = readTask(withFlagsAnd(base, flags, { ...promises, coder: "CODER_X" }));
    expect(read).toMatchObject({
      task: { completion: { criteria: { coder: { promise: "CODER_X" }, reviewer: { promise: "REVIEW_PASSED" } } } },
    });
  });

  it("go over a template, role by role", () => {
    const criteria = completionOf({ ...needed, template: "go-test", coderPromise: "CODED" })?.criteria;
    expect(criteria?.coder).toMatchObject({ promise: "CODED", verification: { command: "go test ./..." } });
    expect(Object.keys(criteria ?? {})).toEqual(["coder", "reviewer", "tester", "qa"]);
  });

  it("change only what they name in a task that is there", () => {
    const former = withFlags(base, { ...needed, coderPromise: "CODED", coderVerifyCmd: ["npm test"], priority: "1" });
    const document = withFlags(former, { title: "New", coderPromise: "OTHER", dependsOn: ["b"], assignee: "ada" });
    expect(readTask(document)).toMatchObject({
      task: {
        title: "New",
        priority: 1,
        dependencies: ["b"],
        assignee: "ada",
        completion: {
          outcome: "It works",
          criteria: { coder: { promise: "OTHER", verification: { command: "npm test" } } },
        },
      },
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ coderVerify: "external" }, "--coder-verify external needs a command."],
    [{ qaVerify: "multi_stage" }, "--qa-verify multi_stage needs a command."],
    [{ coderVerify: "semantic", coderVerifyCmd: ["x"] }, "--coder-verify semantic runs no command."],
    [{ coderVerify: "external", coderVerifyCmd: ["x", "y"] }, "runs one command, 2 are given"],
    [{ testerVerify: "magic" }, 'takes string_match, semantic, external, multi_stage, found "magic"'],
    [{ template: "node" }, 'There is no template "node"'],
  ])("are refused with the flag and the remedy: %o (S2-50)", (flags, words) => {
    expect(() => withFlags(base, { ...needed, ...flags })).toThrow(words);
  });

  it("are told from those about output and place", () => {
    expect(hasDefinitionFlags({ json: true, projectDir: "." })).toBe(false);
    expect(hasDefinitionFlags({ json: true, priority: "1" })).toBe(true);
  });
});
