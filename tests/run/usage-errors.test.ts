import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

/** A refused command ends with 2, says why on standard error, starts no agent and leaves no run behind. */
async function check(project: ScratchProject, words: string[], expected: (string | RegExp)[]): Promise<void> {
  const { code, stdout, stderr } = await project.run(words);
  for (const part of expected) expect(stderr).toMatch(part instanceof RegExp ? part : literally(part));
  expect(stderr).not.toContain("internal error");
  expect(stdout).toBe("");
  expect(code).toBe(2);
  expect(project.prompts()).toEqual([]);
  expect(await project.json(["status"])).toEqual({ runs: [] });
}

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}

function projectWithAgent(settings: Record<string, unknown> = {}): ScratchProject {
  const project = openProject();
  project.claude("claim", settings);
  return project;
}

describe("the command line", () => {
  it.each<[string, string[], string[]]>([
    ["neither prompt", ["run"], ["A prompt is missing", 'ralph run "Make the tests pass"']],
    ["a prompt as argument and as option", ["run", "Do it", "-p", "Do it"], ["given twice"]],
    ["the name of a file as prompt", ["run", "prompt.md"], ["the name of a file", "ralph run -f prompt.md"]],
    ["both prompts", ["run", "-p", "Do it", "-f", "prompt.md"], ["--prompt", "--prompt-file"]],
    ["an empty prompt", ["run", "-p", " \n"], ["The prompt is empty"]],
    ["a prompt file that is not there", ["run", "-f", "no-such.md"], ["no-such.md", "does not exist"]],
    ["a project that is not there", ["run", "-p", "Do it", "-C", "no-such"], ["no-such", "not a directory"]],
  ])("refuses %s (S1-01, S1-04, S1-65)", async (_, words, expected) => {
    const project = projectWithAgent();
    project.write("prompt.md", "From a file");
    await check(project, words, expected);
  });

  it.each(["0", "-1", "x", "1.5", "", "1e3", "٣"])("refuses -m %j and names it (R-53)", async (value) => {
    await check(projectWithAgent(), ["run", "-p", "Do it", "-m", value], [/maximum-iterations/, `"${value}"`]);
  });

  it.each([
    ["--max-cost", "0"],
    ["--max-cost", "much"],
    ["--max-tokens", "1.5"],
    ["--max-time", "soon"],
    ["--max-time", "0s"],
  ])("refuses %s %s and names both (R-53, S1-65)", async (flag, value) => {
    await check(projectWithAgent(), ["run", "-p", "Do it", flag, value], [flag, `"${value}"`]);
  });

  it.each([
    [
      ["run", "-p", "Do it", "--max-iteration", "3"],
      ["--max-iteration", "--max-iterations"],
    ],
    [["run", "-p", "Do it", "--no-such-flag"], ["--no-such-flag"]],
    [["run", "-p"], ["--prompt"]],
    [["runn"], ["runn", "run"]],
    [["run", "-p", "Do", "it"], ["it|argument"]],
  ])("refuses %j instead of printing help with 0 (R-51, S1-65)", async (words, expected) => {
    await check(
      projectWithAgent(),
      words,
      expected.map((part) => new RegExp(part)),
    );
  });

  it.each([[["--help"]], [["run", "--help"]], [["--version"]], [["-v"]]])(
    "answers %j with 0 (S1-02)",
    async (words) => {
      const { code, stdout } = await openProject().run(words);
      expect(code).toBe(0);
      expect(stdout).toMatch(words[0]?.includes("v") === true ? /^\d+\.\d+\.\d+\n$/ : /Example/);
    },
  );

  it("refuses a blank completion text on the command line (R-09)", async () => {
    await check(projectWithAgent(), ["run", "-p", "Do it", "-c", "  "], ["completionResponse", '"  "', "command line"]);
  });
});

describe("settings", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["a blank completion text (R-09)", { completionResponse: "  " }, ["completionResponse", '"  "']],
    ["a wrong type", { maximumIterations: "ten" }, ["maximumIterations", '"ten"']],
    ["zero iterations (R-53)", { maximumIterations: 0 }, ["maximumIterations", "0"]],
    ["a fraction (R-53)", { maximumIterations: 1.5 }, ["maximumIterations", "1.5"]],
    ["an unknown key", { maximunIterations: 3 }, ["maximunIterations", 'Did you mean "maximumIterations"?']],
    ["an unknown key inside", { breaker: { failure: 3 } }, ["breaker.failure", '"failures"']],
    ["a guardrail without a command", { guardrails: [{ failAction: "APPEND" }] }, ["guardrails.0.command"]],
    [
      "an unknown fail action",
      { guardrails: [{ command: "true", failAction: "IGNORE" }] },
      ["guardrails.0.failAction", '"IGNORE"'],
    ],
    ["a list that is no list", { guardrails: "make test" }, ["guardrails", '"make test"']],
    ["a duration that is none", { guardrailTimeout: "soon" }, ["guardrailTimeout", '"soon"']],
    ["null where a value belongs", { outputTruncateChars: null }, ["outputTruncateChars", "null"]],
  ])("refuses %s, naming file, field and value (S1-13, S1-65)", async (_, settings, expected) => {
    await check(projectWithAgent(settings), ["run", "-p", "Do it"], [".ralph/settings.json", ...expected]);
  });

  it("names the file a wrong value stands in when there are two (S1-13)", async () => {
    const project = projectWithAgent({ maximumIterations: 3 });
    project.settings({ maximumIterations: -4 }, "settings.local.json");
    await check(project, ["run", "-p", "Do it"], [".ralph/settings.local.json", "maximumIterations", "-4"]);
  });

  it.each(["{", "", "[]", '"text"', "null", '{"maximumIterations": 3,}'])(
    "refuses the file %j and names it (S1-13)",
    async (text) => {
      const project = openProject();
      project.settings(text);
      await check(project, ["run", "-p", "Do it"], [".ralph/settings.json"]);
    },
  );

  it("takes the other documents' names for the limit (CB-02)", async () => {
    const project = projectWithAgent();
    project.claude("say 'Still at it.'", { maxIterations: 2 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(1);
    expect(project.prompts()).toHaveLength(2);
  });

  it("refuses an unbounded run without a budget and names the budgets (S1-65)", async () => {
    const expected = ["maximumIterations", '"unbounded"', "--max-time"];
    await check(projectWithAgent({ maximumIterations: "unbounded" }), ["run", "-p", "Do it"], expected);
    await check(projectWithAgent(), ["run", "-p", "Do it", "-m", "unbounded"], expected);
  });
});

describe("the agent", () => {
  it("is needed: without one the message says what to write where (S1-65)", async () => {
    await check(openProject(), ["run", "-p", "Do it"], ["agent.command", ".ralph/settings.json"]);
  });

  it.each([
    ["a name", "no-such-agent"],
    ["a path", "/no/such/claude"],
  ])("that is not there by %s stops the run at once and is named (R-83, S1-65)", async (_, command) => {
    const project = openProject();
    project.settings({ agent: { command } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain(command);
    expect(stderr).toMatch(/^failed: /m);
    expect(stderr.match(/^Iteration /gm)).toHaveLength(1);
    expect(code).toBe(2);
  });

  it("that is not executable stops the run at once and is named (R-83)", async () => {
    const project = openProject();
    const command = project.claude("claim");
    chmodSync(command, 0o644);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain(command);
    expect(code).toBe(2);
  });

  it("that is a folder stops the run at once and is named (R-83)", async () => {
    const project = openProject();
    const command = join(project.root, "agents", "folder");
    mkdirSync(command);
    project.settings({ agent: { command } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain(command);
    expect(code).toBe(2);
  });

  it("can be named on the command line (S1-06)", async () => {
    const project = openProject();
    // Without any check a claim needs a change.
    const command = project.plainAgent("echo done > work.txt\nclaim");
    project.settings({});
    expect((await project.run(["run", "-p", "Do it", "--agent", command])).code).toBe(0);
  });
});

describe("the store", () => {
  it("that cannot be made is an error with its path, not a crash (R-41)", async () => {
    const project = projectWithAgent();
    const file = join(project.root, "file");
    writeFileSync(file, "");
    const { code, stderr } = await project.run(["run", "-p", "Do it"], {
      env: { RALPH_STATE_HOME: join(file, "state") },
    });
    expect(stderr).toContain(file);
    expect(stderr).not.toContain("internal error");
    expect(code).toBe(2);
    expect(project.prompts()).toEqual([]);
  });

  it("that is no database is kept and named (R-40)", async () => {
    const project = projectWithAgent();
    const state = join(project.root, "state");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "ralph.db"), "not a database ".repeat(1000));
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("ralph.db");
    expect(stderr).not.toContain("internal error");
    expect(code).toBe(2);
  });
});
