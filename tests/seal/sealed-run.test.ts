import { describe, expect, it } from "vitest";
import { honest, refusal, sealedProject, suiteCommand } from "./sealed-project.ts";

const throughNpm = { guardrails: [{ command: "npm test", failAction: "APPEND" }] };

describe("a sealed run", () => {
  it("completes honest work, and shows where it was verified and what the tests showed", async () => {
    const project = sealedProject(honest, throughNpm);
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed: Claim accepted in iteration 1")]);
    expect(stderr).toContain("calibrating: npm test in a sealed copy");
    expect(stderr).toContain("guardrail passed (sealed, 2 tests passed, ");
    const shown = await project.run(["show"]);
    expect(shown.stdout).toContain("sealed, 2 tests passed");
    expect(shown.stdout).toContain("sealed verification: on a claim");
    expect((await project.run(["show", "--check"])).code).toBe(0);
  });

  it("completes work that adds tests and code", async () => {
    const more = "sed -e 's/adds nothing/adds more/' test/add.test.js > test/more.test.js";
    const { code, stderr } = await sealedProject(`${honest}; ${more}`).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("4 tests passed, 2 new")]);
  });

  it.each([
    ["a weakened test", "sed -i 's/, 3)/, -2)/; s/, 1)/, 0)/' test/add.test.js", {}],
    ["removed tests", "echo > test/add.test.js", {}],
    ["another script", `sed -i 's/node --test/true/' package.json`, throughNpm],
    [
      "a program that stands before the real one",
      `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\n' > "$HOME/bin/npm"`,
      throughNpm,
    ],
    [
      "what git ignores",
      `echo lib > .gitignore; mkdir lib; ${honest.replace("> add.js", "> lib/add.js")}; sed -i 's#../add.js#../lib/add.js#' test/add.test.js`,
      {},
    ],
  ])("refuses %s: the tests of before the first turn run", async (_, deed, settings) => {
    expect(await refusal(deed, settings)).toMatch(/npm test|node --test/);
  });

  it("refuses code that disables assertions, by making the expectations false", async () => {
    const patched = `printf 'import assert from "node:assert";\\nassert.equal = () => {};\\nexport const add = () => 0;\\n' > add.js`;
    expect(await refusal(patched)).toContain("The tests pass although their expectations were made false");
  });

  it("refuses code that is right only where the project lies", async () => {
    const here = `printf 'export const add = (a, b) => process.cwd() === "%s" ? a + b : 0;\\n' "$PWD" > add.js`;
    expect(await refusal(here)).toContain(suiteCommand);
  });

  it("refuses tests that turned green only once", async () => {
    const chance = `printf 'import { readFileSync } from "node:fs";\\nconst odd = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0].at(-1)) %% 2;\\nexport const add = (a, b) => (process.hrtime.bigint() %% 2n ? a + b : a + b + odd * 0 + 1);\\n' > add.js`;
    const stderr = await refusal(chance, { seal: { checks: "claims", repeat: 8 } });
    expect(stderr).toMatch(/did not pass in each of 8 runs|node --test/);
  });

  it("verifies the commands of the project's criteria in the copy, too", async () => {
    const project = sealedProject("sed -i 's/, 3)/, -2)/; s/, 1)/, 0)/' test/add.test.js", { guardrails: [] });
    const verification = { verification_method: "external", verification_config: { command: suiteCommand } };
    const coder = { promise: "DONE", ...verification };
    const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    project.write("ralph/criteria.yaml", JSON.stringify(document));
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("refused: Command exited with 1, expected 0.")]);
  });

  it("does not start where a check needs what a copy does not have, and names the setting", async () => {
    const project = sealedProject(honest, {
      guardrails: [{ command: "cat .ralph/note", failAction: "APPEND" }],
    });
    project.write(".ralph/note", "x");
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Sealed checks do not work here")]);
    expect(stderr).toContain('Set "seal": { "include": [".ralph/note"] }.');
    expect((await project.run(["status"])).stdout).not.toContain("died");
  });
});
