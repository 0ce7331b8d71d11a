import { describe, expect, it } from "vitest";
import { honest, sealedProject } from "./sealed-project.ts";

/** Adds 10, and changes the tests to that: the old ones fail, its own ones pass. */
const changes = "sed -i 's/, 3)/, 13)/; s/, 1)/, 11)/' test/add.test.js";
const insists = `printf "export const add = (a, b) => a + b + 10;\\n" > add.js; ${changes}`;
const guardrails = [{ command: "node --test", failAction: "APPEND" }];

describe("changed tests whose old form fails", () => {
  it("are refused the first time, wait for a person the second time, and are base once accepted", async () => {
    const project = sealedProject(insists, { guardrails, maximumIterations: 5 });
    const { code, stderr } = await project.run(["run", "-p", "Let add add ten more."]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("--accept-tests all")]);
    expect(project.prompts()).toHaveLength(2);
    expect(project.prompts()[1]).toContain("These protected tests were changed and their old form fails:");
    const shown = (await project.run(["show"])).stdout;
    expect(shown).toMatch(/\+.*add\(1, 2\), 13\)/);
    expect((await project.json(["show"]))["dispute"]).toMatchObject({ files: ["test/add.test.js"], times: 2 });
    const wrong = await project.run(["resume", "--accept-tests", "other.test.js"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("test/add.test.js")]);
    const resumed = await project.run(["resume", "--accept-tests", "all"]);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("completed")]);
    expect(project.prompts().at(-1)).toContain("Your changes of test/add.test.js are accepted.");
    expect((await project.run(["show", "--check"])).code).toBe(0);
    expect(project.living()).toEqual([]);
  });

  it("wait for a person at once when the agent asks, and an answer continues without them", async () => {
    const asks =
      'if [ "$n" -gt 1 ]; then say "<promise>DECIDE: may the tests change?</promise>"; result false; exit; fi';
    const deed = `${asks}\n${insists}`;
    const project = sealedProject(deed, { guardrails, maximumIterations: 5 });
    const { code, stderr } = await project.run(["run", "-p", "Let add add ten more."]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("may the tests change?")]);
    expect((await project.run(["show"])).stdout).toContain("In dispute (refused once)");
  });

  it("are none where their new form fails, too: that is refused as ever", async () => {
    const deed = `echo "export const add = () => 0;" > add.js; ${changes}`;
    const project = sealedProject(deed, { guardrails, maximumIterations: 2 });
    expect((await project.run(["run", "-p", "Repair add."])).code).toBe(1);
    expect(project.prompts()[1]).toContain("The changed tests fail");
    expect(project.prompts()[1]).not.toContain("DECIDE");
  });

  it("are the agent's where a person said so before, and are named", async () => {
    const project = sealedProject(insists, { guardrails });
    const words = ["run", "-p", "Let add add ten more.", "--allow-tests", "test/**"];
    const { code, stderr } = await project.run(words);
    expect([code, stderr]).toEqual([0, expect.stringContaining("free to change: test/add.test.js")]);
  });

  it("are named to the agent among the files that were not used, with the tests that fail", async () => {
    const project = sealedProject(`${insists}; echo "ignore-scripts=true" > .npmrc`, {
      guardrails,
      maximumIterations: 2,
    });
    await project.run(["run", "-p", "Let add add ten more."]);
    expect(project.prompts()[1]).toContain("Not used in verification: .npmrc (new), test/add.test.js (changed).");
    expect(project.prompts()[1]).toMatch(/failed: .*adds/);
  });

  it("need nobody where both forms pass", async () => {
    const project = sealedProject(`${honest}; sed -i 's/adds nothing/adds zero/; $ a // more' test/add.test.js`, {
      guardrails,
    });
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed")]);
  });
});
