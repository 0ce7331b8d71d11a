import { describe, expect, it } from "vitest";
import { acts, commitAll, type ListProject, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { honest, suiteCommand, writeSuite } from "./sealed-project.ts";

const weaken = "sed -i 's/, 3)/, -2)/; s/, 1)/, 0)/' test/add.test.js";

const patched = `printf 'import assert from "node:assert";\\nassert.equal = () => {};\\nexport const add = () => 0;\\n' > add.js`;

/** A list with one story, in a project whose suite is red; the agent works by this deed and then reviews. */
function sealedList(deed: string, more: string[] = [acts.approve("A")], command = suiteCommand): ListProject {
  const project = openList({
    stories: [story("A")],
    acts: [`${deed}; ${acts.implement("A")}`, ...more],
    verifyCommands: [command],
    settings: { seal: { checks: "claims" } },
  });
  writeSuite(project);
  return project;
}

describe("a sealed run on a task list", () => {
  it("approves honest work by what its tests show in a sealed copy, and completes", async () => {
    const project = sealedList(honest);
    const { code, stderr } = await project.prdRun(["-n", "3"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("sealed, 2 tests passed")]);
    expect(project.stories()).toMatchObject([{ passes: true, reviewStatus: "approved" }]);
    // A turn that approves nothing is checked where the agent works.
    const first = stderr.slice(0, stderr.indexOf("Iteration 2"));
    expect(first).not.toContain("sealed, 2 tests passed");
  });

  it("undoes an approval by weakened tests, and leaves an agent that insists to a person", async () => {
    const project = sealedList(weaken, [acts.approve("A"), acts.approve("A", 2)]);
    const { code, stderr } = await project.prdRun(["-n", "3"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("insists on a change of tests whose old form fails")]);
    expect(project.stories()).toMatchObject([{ passes: false, reviewStatus: "needs_review" }]);
    expect(stderr).toContain("Story A was approved, but the turn failed or a check is red");
  });

  it("undoes an approval of code that disables assertions", async () => {
    const project = sealedList(patched);
    const { code, stderr } = await project.prdRun(["-n", "2"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("The tests pass although their expectations were made false"),
    ]);
    expect(project.stories()).toMatchObject([{ passes: false }]);
  });

  it("verifies on the claim what only a claim asks for", async () => {
    const project = sealedList(patched, [acts.approve("A")], "true");
    const verification = { verification_method: "external", verification_config: { command: suiteCommand } };
    const coder = { promise: "DONE", ...verification };
    const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    project.write("ralph/criteria.yaml", JSON.stringify(document));
    commitAll(project, "criteria");
    const { code, stderr } = await project.prdRun(["-n", "3"]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining("The tests pass although their expectations were made false"),
    ]);
  });

  it("takes accepted tests and a list that people edited in one go", async () => {
    const insisting = [acts.approve("A"), acts.approve("A", 2), acts.approve("A", 3)];
    const project = sealedList(weaken, insisting);
    expect((await project.prdRun(["-n", "3"])).code).toBe(3);
    project.write("ralph/tasks.json", project.read("ralph/tasks.json").replace("Title of A", "Another title"));
    const { code, stderr } = await project.run(["resume", "--accept-tests", "all", "-m", "6"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Claim accepted in iteration 4")]);
    expect(project.stories()).toMatchObject([{ title: "Another title", passes: true }]);
  });
});
