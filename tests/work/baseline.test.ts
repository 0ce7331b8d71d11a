import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProject } from "../run/scratch-project.ts";

it("labels guardrails of a run by how they stood before, with no log of that look, where it shall", async () => {
  const project = openProject({ isGit: true });
  const guardrails = [
    { command: "test -f never.txt || test $n", failAction: "APPEND" },
    { command: "test ! -f broken.txt", failAction: "APPEND" },
  ];
  project.plainAgent("case $n in 1) touch broken.txt;; 2) rm broken.txt; touch never.txt;; esac; claim", {
    guardrails,
    baseline: true,
  });
  const dry = await project.run(["run", "-p", "Work", "--dry-run"]);
  expect(dry.code).toBe(0);
  const { code } = await project.run(["run", "-p", "Work"]);
  expect(code).toBe(0);
  const second = project.prompts()[1] ?? "";
  expect(second).toMatch(
    /"test -f never\.txt \|\| test \$n" failed[^]*before the first turn[^]*"test ! -f broken\.txt" failed/,
  );
  const { stdout } = await project.run(["show"]);
  expect(stdout).toContain("before the first turn: red: test -f never.txt || test $n, green: test ! -f broken.txt");
  expect(stdout).toContain("red (baseline-broken): test -f never.txt");
  expect(stdout).toContain("red (regressed): test ! -f broken.txt");
  const logs = readdirSync(join(project.directory, ".ralph")).filter((name) => name.startsWith("guardrail_"));
  expect(logs.every((name) => /^guardrail_00[12]_/.test(name))).toBe(true);
  expect(existsSync(join(project.directory, ".ralph", "guardrail_000_test_f_never_txt_test_n.log"))).toBe(false);
});
