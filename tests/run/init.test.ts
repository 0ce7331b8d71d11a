import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

/** A path with these agents and nothing else. */
function pathWith(project: ScratchProject, ...agents: string[]): Record<string, string> {
  const folder = join(project.root, "programs");
  mkdirSync(folder, { recursive: true });
  for (const agent of agents) {
    writeFileSync(join(folder, agent), "#!/bin/sh\n");
    chmodSync(join(folder, agent), 0o755);
  }
  return { PATH: `${folder}:${dirname(process.execPath)}` };
}

function settingsOf(project: ScratchProject): Record<string, unknown> {
  return JSON.parse(project.read(".ralph/settings.json")) as Record<string, unknown>;
}

describe("ralph init without a terminal", () => {
  it("is refused with 2 and writes nothing (S1-16, S1-29)", async () => {
    const project = openProject();
    const { code, stderr } = await project.run(["init"], { stdin: "claude\n\n\n\n\n\n" });
    expect(code).toBe(2);
    expect(stderr).toContain("standard input is not a terminal");
    expect(stderr).toContain("ralph init --yes");
    expect(project.has(".ralph/settings.json")).toBe(false);
    expect(project.has(".gitignore")).toBe(false);
  });
});

describe("ralph init --yes", () => {
  const python = '[project]\nname = "x"\n[tool.pytest.ini_options]\n[tool.ruff]\nline-length = 100\n';
  const node = '{"name": "x", "scripts": {"test": "node --test", "lint": "oxlint", "start": "node ."}}';

  it.each<[string, Record<string, string>, string[]]>([
    ["Node", { "package.json": node }, ["npm test", "npm run lint"]],
    ["Go", { "go.mod": "module example.org/x\n" }, ["go test ./...", "go vet ./..."]],
    ["Rust", { "Cargo.toml": '[package]\nname = "x"\n' }, ["cargo test", "cargo clippy -- -D warnings"]],
    ["Python", { "pyproject.toml": python }, ["pytest", "ruff check ."]],
    ["make", { Makefile: "all:\n\ntest: all\n\tprove\n" }, ["make test"]],
  ])("proposes the checks of a %s repository (S1-28)", async (_, files, checks) => {
    const project = openProject();
    for (const [path, content] of Object.entries(files)) project.write(path, content);
    const { code, stdout } = await project.run(["init", "--yes"], { env: pathWith(project, "codex") });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Settings written to .ralph/settings.json\n" });
    expect(settingsOf(project)).toEqual({
      $schema: "./settings.schema.json",
      maximumIterations: 10,
      completionResponse: "DONE",
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      agent: { command: "codex", flags: [] },
      guardrails: checks.map((command) => ({ command, failAction: "APPEND" })),
    });
    expect((await project.run(["settings", "check"])).code).toBe(0);
  });

  it("takes the first agent it knows, also when none is installed", async () => {
    const project = openProject();
    await project.run(["init", "--yes"], { env: pathWith(project) });
    expect(settingsOf(project)["agent"]).toEqual({ command: "claude", flags: ["--permission-mode", "acceptEdits"] });
    await project.run(["init", "--yes", "--force"], { env: pathWith(project, "opencode", "amp") });
    expect(settingsOf(project)["agent"]).toEqual({ command: "amp", flags: [] });
  });

  it("says what the agent may do, what was written, what is missing and what comes next (S1-28, CB-12)", async () => {
    const project = openProject();
    project.write("Cargo.toml", '[package]\nname = "x"\n');
    const { stderr } = await project.run(["init", "--yes"], { env: pathWith(project, "claude") });
    expect(stderr.split("\n")).toEqual([
      "  agent: claude --permission-mode acceptEdits",
      "    It may edit files; commands need a rule in its own settings.",
      "  guardrail: cargo test",
      "  guardrail: cargo clippy -- -D warnings",
      "  delivery: none, changes stay in the work tree",
      "  also written: .ralph/settings.schema.json, .ralph/.gitignore, .gitignore",
      'Not found on this machine: cargo, needed by the guardrail "cargo test". Install it.',
      'Next: ralph run -p "What to do"',
      "",
    ]);
  });

  it("writes settings a run works with (S1-29)", async () => {
    const project = openProject();
    const agent = project.plainAgent("claim");
    project.write("Makefile", "test:\n\t@true\n");
    expect((await project.run(["init", "--yes", "--force"])).code).toBe(0);
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--agent", agent]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(project.has(".ralph/guardrail_001_make_test.log")).toBe(true);
  });

  it("replaces settings only by force, and adds the lines of .gitignore once (S1-20, CB-03, CW-1I)", async () => {
    const project = openProject({ isGit: true });
    project.settings({ maximumIterations: 3 });
    project.write(".gitignore", "node_modules\n");
    const refused = await project.run(["init", "--yes"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--force");
    expect(settingsOf(project)).toEqual({ maximumIterations: 3 });
    await project.run(["init", "--yes", "--force"]);
    await project.run(["init", "--yes", "--force"]);
    expect(settingsOf(project)).toMatchObject({ maximumIterations: 10 });
    expect(project.read(".gitignore")).toBe(
      "node_modules\n.ralph/settings.local.json\n.ralph/*.log\n.ralph/prompt_*.txt\n.ralph-active\n",
    );
    project.write(".ralph/guardrail_001_x.log", "");
    project.write(".ralph-active", "{}");
    project.settings({}, "settings.local.json");
    const seen = project.git("status", "--short", "--untracked-files=all").trim().split("\n");
    expect(seen.toSorted()).toEqual([
      "?? .gitignore",
      "?? .ralph/.gitignore",
      "?? .ralph/settings.json",
      "?? .ralph/settings.schema.json",
    ]);
  });

  it("names a schema that is there in a teammate's clone (S1-28)", async () => {
    const project = openProject({ isGit: true });
    // As an earlier version wrote it.
    project.write(".ralph/.gitignore", "*\n!settings.json\n!.gitignore\n");
    await project.run(["init", "--yes"]);
    project.git("add", ".");
    project.git("commit", "--quiet", "-m", "settings");
    project.git("clone", "--quiet", ".", "../clone");
    const schema = String(settingsOf(project)["$schema"]);
    expect(JSON.parse(project.read(join("../clone/.ralph", schema)))).toMatchObject({ type: "object" });
  });

  it("names what it cannot write and ends with 2 (S1-29)", async () => {
    const project = openProject();
    const blocked = join(project.directory, "blocked");
    mkdirSync(blocked);
    writeFileSync(join(blocked, ".ralph"), "a file");
    const { code, stderr } = await project.run(["init", "--yes", "-C", blocked]);
    expect(code).toBe(2);
    expect(stderr).toContain(".ralph/settings.json");
    expect(stderr).not.toContain("internal error");
  });
});
