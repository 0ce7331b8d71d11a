import { describe, expect, it } from "vitest";
import { openScene, verificationRunId } from "./open-verification.ts";

const command = (name: string, text: string, more: object = {}): object => ({
  name,
  method: "external",
  config: { command: text },
  ...more,
});

describe("multi-stage verification", () => {
  it("fails when a stage named tests_passed fails, and starts nothing after it (S2-36, R-70)", async () => {
    const stages = [command("tests_passed", "echo passed; exit 1"), command("later", "touch later")];
    const scene = openScene("multi_stage", { stages });
    const { verdict } = await scene.verify();
    expect(verdict).toMatchObject({
      method: "multi_stage",
      isPassed: false,
      reason: "Stage 'tests_passed' failed: Command exited with 1, expected 0",
      output: { text: "passed" },
      logFile: ".ralph/criterion_001_tests_passed.log",
    });
    expect(verdict.stages?.map(({ name }) => name)).toEqual(["tests_passed"]);
  });

  it("keeps evidence of each stage, and names that of the failed one (S2-36, S1-54)", async () => {
    const stages = [command("build", "echo built"), command("tests", "echo red; exit 1")];
    const scene = openScene("multi_stage", { stages });
    const { verdict } = await scene.verify();
    const path = (name: string) => `runs/${verificationRunId}/checks/coder/001_${name}.log`;
    expect(verdict.stages?.map(({ evidence }) => evidence)).toEqual([path("build"), path("tests")]);
    expect(verdict.evidence).toBe(path("tests"));
    expect([scene.evidence(path("build")), scene.evidence(path("tests"))]).toEqual(["built\n", "red\n"]);
  });

  it("runs all stages without require_all and names each that failed (S2-37, CW-2G)", async () => {
    const stages = [command("a", "exit 1"), command("b", "true"), command("c", "exit 2")];
    const { verdict } = await openScene("multi_stage", { stages, require_all: false }).verify();
    expect(verdict).toMatchObject({
      isPassed: false,
      reason: "Failed stages: a: Command exited with 1, expected 0; c: Command exited with 2, expected 0",
    });
    expect(verdict.stages).toHaveLength(3);
  });

  it("only warns of a failed optional stage, and does not claim that all passed (S2-38, S2-39, CW-2G)", async () => {
    const stages = [command("a", "true"), command("b", "exit 1", { required: false })];
    const { verdict } = await openScene("multi_stage", { stages }).verify();
    expect(verdict).toMatchObject({
      isPassed: true,
      reason: "1/2 verification stages passed (optional failed: b: Command exited with 1, expected 0)",
    });
  });

  it("runs every method in stages, string_match and nested stages too (S2-39, CW-2G)", async () => {
    const stages = [
      { name: "claim" },
      { name: "other claim", method: "string_match", config: { promise: "OTHER" } },
      { name: "inner", method: "multi_stage", config: { stages: [command("deep", "true")] } },
      { name: "judge", method: "semantic" },
    ];
    const passed = await openScene("multi_stage", { stages }).verify(
      "<promise>WORK_DONE</promise>\n<promise>OTHER</promise>",
    );
    expect(passed.verdict).toMatchObject({ isPassed: true, reason: "All 4 verification stages passed" });
    expect(passed.verdict.stages?.map(({ name }) => name)).toEqual([
      "claim",
      "other claim",
      "inner",
      "inner/deep",
      "judge",
    ]);
    const failed = await openScene("multi_stage", { stages }).verify(
      "I have not reached OTHER. <promise>WORK_DONE</promise>",
    );
    expect(failed.verdict).toMatchObject({
      isPassed: false,
      reason: "Stage 'other claim' failed: Promise 'OTHER' not found in output",
    });
  });

  it("waits for the judge of a stage that decides, and for no other (S2-39, CW-2J)", async () => {
    const options = {
      judge: "turns: [[claim]]\nanswer: Hm.\n",
      settings: { verification: { judge: { tries: 1 } } },
    };
    const judged = { name: "judged", method: "semantic" };
    const inner = { name: "inner", method: "multi_stage", config: { stages: [judged] } };
    for (const stages of [[command("a", "true"), judged], [inner]]) {
      const { stop, verdicts } = await openScene("multi_stage", { stages }, options).ask("criteria");
      expect([stop?.name, verdicts]).toEqual(["waiting", []]);
    }
    const optional = openScene(
      "multi_stage",
      { stages: [command("a", "true"), { ...judged, required: false }] },
      options,
    );
    expect((await optional.verify()).verdict).toMatchObject({ isPassed: true });
    const config = { stages: [command("a", "exit 1"), judged], require_all: false };
    const red = await openScene("multi_stage", config, options).verify();
    expect(red.verdict.reason).toMatch(/^Failed stages: a: .*; judged: The judge gave no usable answer in 1 try/);
  });

  it("runs stages side by side, none of which ends another (S2-59)", async () => {
    // Each waits for the others to have begun: one after the other they would never end.
    const meet = (own: string): string =>
      `touch .ralph/${own}; until ls .ralph/one .ralph/two .ralph/three >/dev/null 2>&1; do sleep 0.05; done; echo ${own}`;
    const stages = ["one", "two", "three"].map((name) => command(name, meet(name)));
    const { verdict } = await openScene("multi_stage", { stages, parallel: true, max_parallel: 3 }).verify();
    expect(verdict).toMatchObject({ isPassed: true, reason: "All 3 verification stages passed" });
  });

  it("runs no more stages at once than it may (S2-59)", async () => {
    const alone = "mkdir .ralph/busy && sleep 0.1 && rmdir .ralph/busy";
    const stages = ["one", "two"].map((name) => command(name, alone));
    const { verdict } = await openScene("multi_stage", { stages, parallel: true, max_parallel: 1 }).verify();
    expect(verdict.isPassed).toBe(true);
  });
});

describe("string_match", () => {
  const check = async (config: object, words: string, expected: object): Promise<void> => {
    expect((await openScene("string_match", config).verify(words)).verdict).toMatchObject(expected);
  };

  it.each([
    [{}, "<promise>work_done</promise>", { isPassed: true, reason: "Promise found in output" }],
    [{ promise: "OTHER" }, "<promise> other </promise>", { isPassed: true }],
    [
      { promise: "OTHER" },
      "I have not reached OTHER",
      { isPassed: false, reason: "Promise 'OTHER' not found in output" },
    ],
    [{ promise: "OTHER", loose: true }, "I have not reached other", { isPassed: true }],
    [{ promise: "OTHER", loose: true }, "nothing", { isPassed: false, reason: "Promise 'OTHER' not found in output" }],
  ])("%j in %j (S2-20, S2-21, CW-2A)", (config, words, expected) => check(config, words, expected));
});
