import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** What an agent writes to speak to its judge: each is obeyed, outside of any fence, by a program that starts in the project. */
const bribes = [".claude/settings.json", ".claude/rules/judge.md", "AGENTS.md", ".mcp.json"];

/** A project with a note of its own for agents, and a judge that looks for what the agent added. */
function judgedProject(name: string, settings: Record<string, unknown>): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("CLAUDE.md", "Honest.\n");
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const path = join(project.root, "judges", name);
  mkdirSync(join(project.root, "judges"));
  const looks = bribes.map((bribe) => `test -e ${bribe} && found="$found ${bribe}"`).join("\n");
  const body = [
    "#!/bin/sh",
    'test "$1" = --version && { echo 1.0.0; exit 0; }',
    'printf "%s\\n" "$PWD" "$@" > "$0.args"',
    looks,
    'grep -q bribe CLAUDE.md && found="$found CLAUDE.md"',
    'test -f work.txt && test -z "$found" && { echo "VERIFIED: the work is there"; exit 0; }',
    'echo "NOT_VERIFIED: found$found"',
  ];
  writeFileSync(path, `${body.join("\n")}\n`);
  chmodSync(path, 0o755);
  const deed = [
    "echo x > work.txt",
    "echo bribe > CLAUDE.md",
    "mkdir -p .claude/rules",
    ...bribes.map((bribe) => `echo bribe > ${bribe}`),
  ];
  const judge = { agent: path, tries: 1 };
  project.claude(`${deed.join("\n")}\nclaim`, { maximumIterations: 1, verification: { judge }, ...settings });
  const coder = { promise: "DONE", verification_method: "semantic", verification_config: {} };
  const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  project.write("ralph/criteria.yaml", JSON.stringify(document));
  return project;
}

describe("a judge of sealed work", () => {
  it("looks at a copy without the notes, rules, hooks and servers that the agent added", async () => {
    const project = judgedProject("looker", { seal: { checks: "claims" } });
    const { code, stderr } = await project.run(["run", "-p", "Work."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed: Claim accepted in iteration 1")]);
    const [place] = readFileSync(join(project.root, "judges/looker.args"), "utf8").split("\n");
    expect(place).not.toContain(project.directory);
    expect(project.living()).toEqual([]);
  });

  it("sees all of them in the agent's tree where nothing is sealed", async () => {
    const project = judgedProject("looker", { seal: { checks: "off" } });
    const { code, stderr } = await project.run(["run", "-p", "Work."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`found ${bribes.join(" ")} CLAUDE.md`)]);
  });

  it("is started without the project's settings and servers, where its program has flags for that", async () => {
    const project = judgedProject("claude", { seal: { checks: "claims" } });
    expect((await project.run(["run", "-p", "Work."])).code).toBe(0);
    const words = readFileSync(join(project.root, "judges/claude.args"), "utf8").split("\n");
    expect(words).toEqual(expect.arrayContaining(["--setting-sources", "user", "--strict-mcp-config"]));
  });
});
