import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

const root = resolve(join(import.meta.dirname, "../.."));

describe("ralph settings check", () => {
  it.each<[string, string, string]>([
    [
      "invalid JSON",
      '{\n  "maximumIterations": 3\n  "agent": {}\n}',
      '.ralph/settings.json:3: not valid JSON, column 3: a comma or } is missing before "agent".',
    ],
    [
      "a wrong type",
      '{\n  "streamAgentOutput": "yes"\n}',
      '.ralph/settings.json:2: streamAgentOutput: expected true or false, found "yes".',
    ],
    [
      "an unknown key",
      '{\n\n  "maximunIterations": 3\n}',
      '.ralph/settings.json:3: unknown setting "maximunIterations". Did you mean "maximumIterations"?',
    ],
    [
      "a value out of range",
      '{\n  "breaker": {\n    "failures": 0\n  }\n}',
      ".ralph/settings.json:3: breaker.failures: expected a whole number of at least 1 or null, found 0.",
    ],
    [
      "a bad action",
      '{\n  "guardrails": [\n    { "command": "make",\n      "failAction": "IGNORE" }\n  ]\n}',
      '.ralph/settings.json:4: guardrails.0.failAction: expected "APPEND", "PREPEND" or "REPLACE", found "IGNORE".',
    ],
  ])("names file, line, key, value and remedy of %s, as run does (S1-13, S1-14)", async (_, text, expected) => {
    const project = openProject();
    project.settings(text);
    for (const words of [
      ["settings", "check"],
      ["run", "-p", "Do it"],
    ]) {
      const { code, stdout, stderr } = await project.run(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`${expected}\n`);
      expect(stderr).toContain("Correct the settings");
    }
  });

  it("tells programs the same (CB-18)", async () => {
    const project = openProject();
    project.settings({ agent: { comand: "x" } });
    const { code, stdout } = await project.run(["settings", "check", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      isValid: false,
      problems: [{ source: ".ralph/settings.json", line: 1, key: "agent.comand" }],
    });
  });

  it("says with 0 that everything holds, and what it looked at", async () => {
    const project = openProject();
    project.settings({ maximumIterations: 3 }, "settings.local.json");
    const { code, stdout } = await project.run(["settings", "check"], { env: { RALPH_AGENT_COMMAND: "x" } });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Settings are valid: .ralph/settings.local.json, environment RALPH_AGENT_COMMAND.\n",
    });
  });
});

describe("ralph settings show", () => {
  it("explains where each value comes from, over all layers (S1-07, S1-11)", async () => {
    const project = openProject();
    const user = join(project.root, "home", ".config", "ralph");
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, "settings.json"), '{"maximumIterations": 2, "completionResponse": "USER"}');
    project.settings({ completionResponse: "BASE", agent: { command: "x" } });
    project.settings({ agent: { flags: ["-v"] } }, "settings.local.json");
    const env = { RALPH_BUDGET_SPEND: "2.5" };
    const { stdout } = await project.run(["settings", "show", "--explain"], { env });
    const rows = stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "));
    expect(rows).toEqual(
      expect.arrayContaining([
        `maximumIterations | 2 | ${user}/settings.json:1`,
        'completionResponse | "BASE" | .ralph/settings.json:1',
        'agent.command | "x" | .ralph/settings.json:1',
        'agent.flags | ["-v"] | .ralph/settings.local.json:1',
        "budget.spend | 2.5 | environment RALPH_BUDGET_SPEND",
        'agent.idleTimeout | "30m" | default',
      ]),
    );
    const json = await project.json(["settings", "show"]);
    expect(json).toMatchObject({ settings: { completionResponse: "BASE", agent: { command: "x", flags: ["-v"] } } });
  });

  it("prints what a settings file could hold, without secrets (S1-83)", async () => {
    const project = openProject();
    project.settings({ agent: { command: "x", flags: ["--api-key", "abc123", "--token=abc123"] } });
    for (const words of [[], ["--explain"], ["--json"]])
      expect((await project.run(["settings", "show", ...words])).stdout).not.toContain("abc123");
    const { stdout } = await project.run(["settings", "show"]);
    project.settings(stdout);
    expect((await project.run(["settings", "check"])).code).toBe(0);
  });
});

describe("settings of a run", () => {
  it("come from files, then the environment, then flags; wrong ones name the variable (S1-06, S1-07)", async () => {
    const project = openProject();
    project.plainAgent("echo 'Still at it.'", { maximumIterations: 4 });
    const env = { RALPH_MAXIMUM_ITERATIONS: "2" };
    expect((await project.run(["run", "-p", "Do it"], { env })).code).toBe(1);
    expect(project.prompts()).toHaveLength(2);
    expect((await project.run(["run", "-p", "Do it", "-m", "1"], { env })).code).toBe(1);
    expect(project.prompts()).toHaveLength(3);
    const wrong = await project.run(["run", "-p", "Do it"], { env: { RALPH_MAXIMUM_ITERATIONS: "two" } });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("environment RALPH_MAXIMUM_ITERATIONS: maximumIterations: expected a whole number");
  });

  it("are told in verbose mode, the local ones only when they are there (S1-82)", async () => {
    const project = openProject();
    project.plainAgent("claim");
    const line = "[ralph] Loading settings from .ralph/settings.local.json\n";
    const before = await project.run(["run", "-p", "Do it", "--verbose"]);
    expect(before.stderr).toContain("[ralph] Loading settings from .ralph/settings.json\n");
    expect(before.stderr).not.toContain(line);
    project.settings({}, "settings.local.json");
    expect((await project.run(["run", "-p", "Do it", "--verbose"])).stderr).toContain(line);
  });

  it("survive variables that are none, with a warning for what looks like one", async () => {
    const project = openProject();
    project.plainAgent("claim");
    const env = { RALPH_SOMETHING: "1", RALPH_MAXIMUM_ITERATION: "0" };
    const { code, stderr } = await project.run(["run", "-p", "Do it"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain("RALPH_MAXIMUM_ITERATION is not a setting. Did you mean RALPH_MAXIMUM_ITERATIONS?");
    expect(stderr).not.toContain("RALPH_SOMETHING");
  });
});

describe("what is written about settings", () => {
  it("is the schema of the declaration, also where init puts it", async () => {
    const project = openProject();
    const { stdout } = await project.run(["settings", "schema"]);
    expect(JSON.parse(stdout)).toMatchObject({ properties: { maximumIterations: { default: 10 } } });
    await project.run(["init", "--yes"]);
    expect(project.read(".ralph/settings.schema.json")).toBe(stdout);
  });

  it("is a reference page that agrees with the declaration; else `npm run docs:settings` (S1-78)", () => {
    const made = execFileSync(process.execPath, [join(root, "scripts/docs-settings.js"), "--print"], {
      encoding: "utf8",
    });
    expect(readFileSync(join(root, "docs/guide/settings.md"), "utf8")).toBe(made);
  });
});
