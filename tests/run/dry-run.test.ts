import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

const paragraph =
  "When everything is done and verified, and not before, output the line <promise>DONE</promise> on its own.";

describe("ralph run --dry-run", () => {
  it("shows the prompt exactly as the first turn gets it (S1-81)", async () => {
    const project = openProject();
    project.claude("claim", { includeIterationCountInPrompt: true });
    project.write("prompt.md", "Make it so.\n\n\n");
    const dry = await project.json(["run", "-f", "prompt.md", "--dry-run"]);
    expect(project.prompts()).toEqual([]);
    await project.run(["run", "-f", "prompt.md"]);
    expect(project.prompts()).toEqual([dry["prompt"]]);
  });

  it("starts nothing, stores nothing and writes nothing (S1-81)", async () => {
    const project = openProject({ isGit: true });
    project.claude("claim", { guardrails: [{ command: "touch ran", failAction: "APPEND" }] });
    const { code } = await project.run(["run", "-p", "Do it", "--dry-run"]);
    expect(code).toBe(0);
    expect([project.prompts(), project.has("ran"), project.has("../state"), project.has(".ralph/.gitignore")]).toEqual([
      [],
      false,
      false,
      false,
    ]);
  });

  it("tells command line, environment by name, checks, limits and delivery (S1-81, S1-67)", async () => {
    const project = openProject();
    project.settings({
      agent: { command: "claude", flags: ["--api-key", "abc"] },
      guardrails: [{ command: "make test", failAction: "PREPEND" }],
      scm: { command: "git", tasks: ["commit", "push", "pr"], stage: "all" },
    });
    const words = ["run", "-p", "Do it", "--dry-run", "-m", "3", "--max-cost", "2"];
    const { stdout, stderr } = await project.run(words, { env: { CLAUDECODE: "1" } });
    expect(stdout).toContain(
      'claude -p --output-format stream-json --verbose --api-key [redacted] --settings \'{"hooks":',
    );
    expect(stdout).toMatch(/^Environment: +set .*RALPH_RUN_ID.*; removed CLAUDECODE$/m);
    expect(stdout).toMatch(/^Guardrail: +make test \(PREPEND\)$/m);
    expect(stdout).toMatch(/^Limits: +iterations 3, .*\$2\.00/m);
    expect(stdout).toMatch(
      /^Delivery: +after green guardrails git commit \(all files\), git push; after completion pr$/m,
    );
    const shown = paragraph.replaceAll(/^(?=.)/gm, "  ");
    expect(stdout.endsWith(`Prompt of iteration 1:\n  Do it\n\n${shown}\n`)).toBe(true);
    expect(stderr).toBe("");
  });

  it.each<[string, string[], Record<string, string>]>([
    ["--agent", ["--agent", "helper"], {}],
    ["RALPH_AGENT_COMMAND", [], { RALPH_AGENT_COMMAND: "helper" }],
  ])("gives another agent, named by %s, no flags and no model of the settings' agent", async (_, words, env) => {
    const project = openProject();
    project.settings({ agent: { command: "claude", flags: ["--dangerously-skip-permissions"], model: "opus" } });
    const dry = await project.run(["run", "-p", "Do it", "--dry-run", "--json", ...words], { env });
    expect(JSON.parse(dry.stdout)).toMatchObject({ argv: ["helper", "<prompt>"] });
  });

  it("says the same as JSON, with a prompt that is an argument named in its place (S1-81)", async () => {
    const project = openProject();
    project.settings({ agent: { command: "helper" }, budget: { time: "1h" } });
    expect(await project.json(["run", "-p", "Do it", "--dry-run"])).toMatchObject({
      projectDir: project.directory,
      prompt: `Do it\n\n${paragraph}`,
      argv: ["helper", "<prompt>"],
      promptVia: "argument",
      environment: { set: ["RALPH_RUN_ID", "RALPH_TURN"], removed: [] },
      limits: { iterations: 10, idleMs: 1_800_000, wallMs: 3_600_000, budget: { time: 3_600_000 } },
      guardrails: [],
      delivery: null,
    });
  });

  it("refuses what a run would refuse (S1-04, S1-13)", async () => {
    const project = openProject();
    expect((await project.run(["run", "--dry-run"])).code).toBe(2);
    const { code, stderr } = await project.run(["run", "--dry-run", "-p", "Do it"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("No agent is configured")]);
  });
});
