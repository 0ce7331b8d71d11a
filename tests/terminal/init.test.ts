import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launcher, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const agentQuestion = "Agent command (e.g., claude, codex, amp, or other LLM CLI): ";
const guardrailQuestion = "Add guardrail command (leave blank to finish): ";

/** `ralph init` in a terminal, on a path with one agent and nothing else. */
function startInit(project: ScratchProject, ...words: string[]): Terminal {
  const programs = join(project.root, "programs");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, "codex"), "#!/bin/sh\n");
  chmodSync(join(programs, "codex"), 0o755);
  return openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "init", ...words],
    env: { PATH: `${programs}:${dirname(process.execPath)}`, HOME: join(project.root, "home") },
    columns: 160,
  });
}

function linesOf(terminal: Terminal): string[] {
  return terminal.screen().split("\n");
}

function settingsOf(project: ScratchProject): unknown {
  return JSON.parse(project.read(".ralph/settings.json"));
}

describe.skipIf(!hasTmux)("ralph init in a terminal", () => {
  it("asks word for word, and a run works with what it writes (S1-21..29, CW-1D, CW-1I)", async () => {
    const project = openProject({ isGit: true });
    const agent = project.plainAgent("touch made\nclaim");
    rmSync(join(project.directory, ".ralph"), { recursive: true });
    project.write("Makefile", "test:\n\ttest -f made\n");
    const terminal = startInit(project);
    await terminal.answer(agentQuestion, agent);
    await terminal.answer("Agent flags (comma-separated, optional): ", "--model,opus, ,");
    await terminal.answer("Maximum iterations [10]:", "none");
    await terminal.answer("Maximum iterations [10]:", "4");
    await terminal.answer("Completion response [DONE]:", "");
    await terminal.answer(guardrailQuestion, "test -f made");
    await terminal.answer("  Fail action (APPEND|PREPEND|REPLACE): ", "ignore");
    await terminal.answer("  Fail action (APPEND|PREPEND|REPLACE): ", "prepend");
    await terminal.answer("  Hint (optional, guidance for agent on failure): ", "Make it.");
    await terminal.answer(guardrailQuestion, "");
    await terminal.answer("Configure SCM? (y/N):", "y");
    await terminal.answer("  SCM command (e.g., git): ", "git");
    await terminal.answer("  SCM tasks (comma-separated, e.g., commit,push): ", "commit");
    expect(await terminal.exitCode()).toBe(0);
    expect(linesOf(terminal)).toEqual([
      "Agents found on this machine: codex",
      "Checks found in this repository: make test",
      "Enter takes codex, these checks and the defaults; an answer asks for all.",
      `${agentQuestion}${agent}`,
      "Agent flags (comma-separated, optional): --model,opus, ,",
      "Maximum iterations [10]:none",
      'A whole number of at least 1 is needed, found "none".',
      "Maximum iterations [10]:4",
      "Completion response [DONE]:",
      `${guardrailQuestion}test -f made`,
      "  Fail action (APPEND|PREPEND|REPLACE): ignore",
      '  "ignore" is not one of them: the failure comes after the prompt, before it, or instead of it.',
      "  Fail action (APPEND|PREPEND|REPLACE): prepend",
      "  Hint (optional, guidance for agent on failure): Make it.",
      guardrailQuestion.trimEnd(),
      "Configure SCM? (y/N):y",
      "  SCM command (e.g., git): git",
      "  SCM tasks (comma-separated, e.g., commit,push): commit",
      "Settings written to .ralph/settings.json",
      `  agent: ${agent} --model opus`,
      "  guardrail: test -f made",
      "  delivery: git commit",
      "  also written: .ralph/settings.schema.json, .ralph/.gitignore, .gitignore",
      "Not found on this machine: git, needed by delivery. Install it.",
      'Next: ralph run -p "What to do"',
    ]);
    expect(settingsOf(project)).toEqual({
      $schema: "./settings.schema.json",
      maximumIterations: 4,
      completionResponse: "DONE",
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      agent: { command: agent, flags: ["--model", "opus"] },
      guardrails: [{ command: "test -f made", failAction: "PREPEND", hint: "Make it." }],
      scm: { command: "git", tasks: ["commit"] },
    });
    expect(project.git("status", "--short", "--untracked-files=all").trim().split("\n").toSorted()).toEqual([
      "?? .gitignore",
      "?? .ralph/.gitignore",
      "?? .ralph/settings.json",
      "?? .ralph/settings.schema.json",
      "?? Makefile",
    ]);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(project.has("made")).toBe(true);
  });

  it.each([
    ["Ctrl-C", "C-c"],
    ["the end of input", "C-d"],
  ])("is aborted by %s at the first question: 130, and nothing is written (S1-17, S1-29)", async (_, key) => {
    const project = openProject();
    const first = startInit(project);
    await first.endsWith(agentQuestion);
    first.press(key);
    expect(await first.exitCode()).toBe(130);
    expect(readdirSync(project.directory, { recursive: true })).toEqual([".ralph"]);
  });

  it.each([
    ["Ctrl-C", "C-c"],
    ["the end of input", "C-d"],
  ])("is aborted by %s at the last question: 130, and nothing is written (S1-17, S1-29)", async (_, key) => {
    const project = openProject();
    const terminal = startInit(project);
    await terminal.answer(agentQuestion, "codex");
    await terminal.answer("Agent flags (comma-separated, optional): ", "");
    await terminal.answer("Maximum iterations [10]:", "");
    await terminal.answer("Completion response [DONE]:", "");
    await terminal.answer(guardrailQuestion, "");
    await terminal.endsWith("Configure SCM? (y/N):");
    terminal.press(key);
    expect(await terminal.exitCode()).toBe(130);
    expect(terminal.screen()).toContain("Aborted; nothing was written.");
    expect(readdirSync(project.directory, { recursive: true })).toEqual([".ralph"]);
  });

  it.each(["", "n", "nein"])(
    "shows what is there and leaves it when not told to overwrite: %j (S1-18..20)",
    async (answer) => {
      const project = openProject();
      project.settings({ maximumIterations: 5, agent: { command: "x", flags: ["--api-key", "abc123"] } });
      project.settings({ maximumIterations: 6 }, "settings.local.json");
      const before = [project.read(".ralph/settings.json"), project.read(".ralph/settings.local.json")];
      const terminal = startInit(project);
      await terminal.answer("Overwrite? (y/N): ", answer);
      expect(await terminal.exitCode()).toBe(0);
      const lines = linesOf(terminal);
      expect(lines.slice(0, 4)).toEqual(["{", '  "maximumIterations": 6,', '  "agent": {', '    "command": "x",']);
      expect(lines).toContain("Loaded from .ralph/settings.json (with local overlay from settings.local.json)");
      expect(lines.at(-1)).toBe(`Overwrite? (y/N): ${answer}`.trimEnd());
      expect(terminal.screen()).not.toContain("abc123");
      expect([project.read(".ralph/settings.json"), project.read(".ralph/settings.local.json")]).toEqual(before);
      expect(readdirSync(project.directory)).toEqual([".ralph"]);
    },
  );

  it("replaces settings when told to (S1-19, S1-20, S1-28)", async () => {
    const project = openProject();
    project.settings({ maximumIterations: 5 });
    const terminal = startInit(project);
    await terminal.answer("Overwrite? (y/N): ", "y");
    expect(linesOf(terminal)).toContain("Loaded from .ralph/settings.json");
    await terminal.answer(agentQuestion, "codex");
    for (const question of [
      "Agent flags (comma-separated, optional): ",
      "Maximum iterations [10]:",
      "Completion response [DONE]:",
      guardrailQuestion,
      "Configure SCM? (y/N):",
    ])
      await terminal.answer(question, "");
    expect(await terminal.exitCode()).toBe(0);
    expect(settingsOf(project)).toMatchObject({ maximumIterations: 10, agent: { command: "codex", flags: [] } });
  });

  it("refuses settings that do not hold with 2 and tells how to replace them (S1-13, S1-29)", async () => {
    const project = openProject();
    project.settings('{"maximumIterations": 5,}');
    const refused = startInit(project);
    expect(await refused.exitCode()).toBe(2);
    expect(refused.screen()).toContain(".ralph/settings.json:1: not valid JSON, column 24: remove the comma before }.");
    expect(refused.screen()).toContain("ralph init --force");
  });

  it("completes with Tab what was found", async () => {
    const project = openProject();
    const terminal = startInit(project);
    await terminal.endsWith(agentQuestion);
    terminal.press("Tab");
    await terminal.endsWith(`${agentQuestion}codex`);
    expect(linesOf(terminal).at(-1)).toBe(`${agentQuestion}codex`);
  });
});
