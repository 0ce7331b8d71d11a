import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

describe("ralph alone", () => {
  it("says in a fresh directory that nothing is configured, and what to type (S1-01)", async () => {
    const project = openProject();
    const { code, stdout } = await project.run([]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      `ralph in ${project.directory}`,
      "  agent: none is configured",
      "  checks after every turn: none",
      "",
      "Choose an agent and checks:          ralph init",
      "See it work, without agent and key:  ralph demo",
      "All commands:                        ralph --help",
      "",
    ]);
  });

  it("shows agent, checks, the newest runs and the command that continues (S1-01)", async () => {
    const project = openProject();
    project.claude("say Hm.", { maximumIterations: 1, guardrails: [{ command: "true", failAction: "APPEND" }] });
    await project.run(["run", "Make it whole"]);
    const { code, stdout } = await project.run([]);
    expect(code).toBe(0);
    expect(stdout).toContain("  agent: claude\n  checks after every turn: true\n");
    expect(stdout).toMatch(/^\S+ {2}exhausted {2}1\/1 /m);
    expect(stdout).toContain("  Make it whole\n");
    expect(stdout.split("ralph resume")).toHaveLength(2);
    expect(stdout).toMatch(/^Give it more iterations with: +ralph resume \S+ -m 5$/m);
    expect(stdout).toMatch(/^Start a run: +ralph run "Make the tests pass"$/m);
  });

  it("names what is wrong with the settings", async () => {
    const project = openProject();
    project.settings({ maximumIterations: -1 });
    const { code, stdout } = await project.run([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}settings: .*maximumIterations/m);
    expect(stdout).toMatch(/^Correct the settings, then look again: +ralph settings check$/m);
  });
});
