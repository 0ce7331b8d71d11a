import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const fixture = (name: string): string => join(import.meta.dirname, "..", "fixtures", "outer-loop", name);

/** Puts an agent of this name on the search path. It prints the recorded lines, or a message when it is asked for text. */
function install(project: ScratchProject, name: string, { stream = `${name}.ndjson`, turn = "" } = {}) {
  const folder = join(project.root, "agents");
  const asked = `cat > /dev/null\necho "$*" >> '${project.root}/argv'`;
  const text = 'case " $* " in *" --output-format text "*) echo "Say hello"; exit;; esac';
  writeFileSync(join(folder, name), `#!/bin/sh\n${asked}\n${text}\n${turn}\ncat '${fixture(stream)}'\n`);
  chmodSync(join(folder, name), 0o755);
  return { PATH: `${folder}:${process.env["PATH"] ?? ""}`, LANG: "C.UTF-8", AMP_API_KEY: "none" };
}

/** A project with the settings of the fixture, two checks of which one is red at first, and a place to push to. */
function openExample(): ScratchProject {
  const project = openProject({ isGit: true });
  project.settings(readFileSync(fixture("settings.json"), "utf8"));
  project.write("tools/style.sh", "test -e tidy || { echo 'main.go:3: too wide'; exit 2; }\n");
  project.write("tools/units.sh", "test -e tidy || { echo 'hello is missing'; exit 1; }\n");
  execFileSync("git", ["init", "--quiet", "--bare", join(project.root, "remote")]);
  project.git("remote", "add", "origin", join(project.root, "remote"));
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "project");
  project.git("push", "--quiet", "--set-upstream", "origin", "HEAD");
  return project;
}

describe("settings with every key of the outer loop", () => {
  it("loop, feed back, claim, commit and push (S1-09, S1-15, S1-39, S1-40, S1-45, S1-63)", async () => {
    const project = openExample();
    const env = install(project, "claude", { turn: "[ ! -e tried ] || touch tidy\ntouch tried" });
    const { code, stderr } = await project.run(["run", "-p", "Say hello", "-V"], { env });
    expect(stderr).toMatch(/^completed: Claim accepted in iteration 2: /m);
    expect(code).toBe(0);
    const agent = "claude -p --output-format stream-json --verbose --model sonnet --no-auto-compact";
    expect(stderr).toContain(`[ralph] Loading settings from .ralph/settings.json\n`);
    expect(stderr).toContain(`[ralph] Agent command: ${agent}\n`);
    expect(stderr).toContain("[ralph] Iteration 1/6 starting\n");
    expect(stderr).toContain("[ralph] Running guardrail: sh tools/units.sh\n");
    expect(stderr).toMatch(/\[ralph\] Guardrail exited with code 2 \([\d.]+s\)\n/);
    const [first = "", second = ""] = ["001", "002"].map((number) => project.read(`.ralph/prompt_${number}.txt`));
    expect(first).toMatch(/^Iteration 1 of 6, 5 remaining\.\n\nSay hello\n\n/);
    expect(second).toMatch(
      /^Iteration 2 of 6, 4 remaining\.\n\nGuardrail "sh tools\/units\.sh" failed with exit code 1\.\nOutput file: \.ralph\/guardrail_001_sh_tools_units_sh\.log\nOutput \(truncated\):\nhello is missing\n\nSay hello\n\nGuardrail "sh tools\/style\.sh" failed with exit code 2\.\nHint: Change the style, nothing else\.\n/,
    );
    const asked = readFileSync(join(project.root, "argv"), "utf8").trim().split("\n");
    const [turn, message] = [asked[0], asked.at(-1)].map((words) => words?.replace(/ --settings .*/, ""));
    expect([asked.length, `claude ${turn}`]).toEqual([3, agent]);
    expect(message).toBe("-p --output-format text --model sonnet --no-auto-compact");
    const subject = ["log", "-1", "--format=%s"];
    expect(project.git(...subject)).toBe("Say hello\n");
    expect(project.git(...subject, "@{upstream}")).toBe("Say hello\n");
  });

  it("merge with local ones key by key, and lists are replaced (S1-11, S1-12)", async () => {
    const project = openExample();
    project.settings({ agent: { flags: ["--verbose"] } }, "settings.local.json");
    const env = install(project, "claude");
    const { stderr } = await project.run(["run", "-p", "Say hello", "-V", "--dry-run"], { env });
    expect(stderr).toContain("[ralph] Loading settings from .ralph/settings.local.json\n");
    expect(stderr).toMatch(/\[ralph\] Agent command: claude -p .*--verbose --verbose\n/);
  });
});

describe("the streams of the outer loop", () => {
  const block = [
    "I begin with the source.",
    "⏺ Read(/srv/app/main.go)",
    "✅ Result ← Read (45 lines, 1234 chars)",
    "  ⎿  package main",
    "     … 44 more lines",
    "",
    "📋 Todo List",
    "  ✅ Look at the source",
    "  🔄 Change the handler ← ACTIVE",
    "  ⏸️ Call the tests",
    "  📊 Progress: 1/3 (33%)",
    "⏺ Bash(make units)",
    "❌ Error ← Bash (1 line, 16 chars)",
    "  ⎿  units: not found",
    "It is done.",
    "<response>finished</response>",
    "",
  ];
  const words = ["run", "-p", "Say hello", "-m", "1", "-c", "FINISHED", "--max-output-lines", "1"];

  /** A run without checks of an agent that prints the fixture. */
  async function watch(agent: string, given: { stream?: string; display?: object } = {}) {
    const project = openProject();
    const completion = { requireProgress: false };
    project.settings({ agent: { command: agent, retryDelay: "0s" }, completion, display: given.display ?? {} });
    const env = install(project, agent, given.stream === undefined ? {} : { stream: given.stream });
    return project.run(words, { env });
  }

  it("of claude looks like the block of the formatter (S1-69, S1-70, S1-74, S1-75, S1-76)", async () => {
    const { code, stdout, stderr } = await watch("claude");
    expect(stdout.split("\n")).toEqual(block);
    const totals = "cost: $0.05, tokens: 1.8K in (800 cached) / 500 out, tools: 3, errors: 1, time: ";
    expect(stderr).toContain(`\n\n✅ Complete (${totals}`);
    expect(code).toBe(0);
  });

  it("looks otherwise where the settings of the display say so (S1-77)", async () => {
    const display = { useEmoji: false, useColor: true, showTimestamp: true, maxOutputLines: 9, maxOutputChars: 7 };
    const { stdout, stderr } = await watch("claude", { display });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => !/^\[\d\d:\d\d:\d\d\] /.test(line))).toEqual([]);
    expect(stdout).toContain("\u001B[32m[OK] Result <- Read (45 lines, 1234 chars)\u001B[39m\n");
    expect(stdout).toContain("  |  package...");
    expect(stderr).toContain("[OK] Complete (");
  });

  it("of codex shows commands, and its reasoning where that is asked for (S1-71, S1-77)", async () => {
    const lines = ["⏺ command_execution(make units)", "✅ Result ← command_execution (2 lines, 18 chars)"];
    const output = ["  ⎿  12 units", "     … 1 more line"];
    const claim = ["<response>FINISHED</response>", ""];
    expect((await watch("codex")).stdout.split("\n")).toEqual([...lines, ...output, ...claim]);
    const shown = await watch("codex", { display: { showReasoning: true } });
    expect(shown.stdout.split("\n")).toEqual([...lines, ...output, "💭 Nothing is left to do.", ...claim]);
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining("tokens: 1K in (800 cached) / 500 out")]);
  });

  it("of amp shows its tools, and an error result fails the turn (S1-72)", async () => {
    const { code, stdout } = await watch("amp");
    const tool = ["⏺ Bash(ls)", "✅ Result ← Bash (1 line, 7 chars)", "  ⎿  main.go"];
    expect(stdout.split("\n")).toEqual(["I look around.", ...tool, "<response>FINISHED</response>", ""]);
    expect(code).toBe(0);
    const failed = await watch("amp", { stream: "amp-error.ndjson" });
    expect(failed.stderr).toContain("  turn failed: The service is away.");
    expect(failed.code).toBe(1);
  });
});
