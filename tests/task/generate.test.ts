import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject, until } from "../run/scratch-project.ts";

const task = (id: string, completion = "{outcome: It works, acceptance_criteria: [A test passes]}") =>
  `tasks:\n  - id: ${id}\n    title: Build it\n    completion: ${completion}\n`;

/** A project whose agent gives these answers in turn and keeps what it was asked. */
function openAnswering(answers: readonly string[]): ScratchProject {
  const project = openProject();
  const cases = answers.map((answer, index) => `${index + 1}) cat <<'END'\n${answer}\nEND\n;;`).join("\n");
  project.plainAgent(`case $n in\n${cases}\nesac`);
  project.write("spec.md", "# Shop\n\nPeople buy things.\n");
  return project;
}

const fenced = (yaml: string): string => `Here they are:\n\`\`\`yaml\n${yaml}\`\`\``;
const storing = ["task", "generate", "-f", "spec.md", "--yes"];

describe("ralph task generate", () => {
  it("asks with guidance and specification, shows tasks and price, and stores them with --yes (S2-56)", async () => {
    const project = openAnswering([fenced(task("shop-1"))]);
    const { code, stdout, stderr } = await project.run(storing);
    expect(code).toBe(0);
    expect(stdout).toContain("id: shop-1");
    expect(stderr).toContain("Asked the agent once (cost unknown).");
    expect(stderr).toContain("Added: shop-1");
    const [prompt] = project.prompts();
    expect(prompt).toContain("People buy things.");
    expect(prompt).toContain("IMPORTANT: Tasks without completion criteria will fail during Ralph loop execution.");
    expect(await project.json(["task", "show", "shop-1"])).toMatchObject({ completion: { outcome: "It works" } });
  });

  it("leaves nothing of the answer that an agent writes to a file (S2-56)", async () => {
    const project = openProject();
    project.write("spec.md", "# Shop\n");
    const codex = join(project.root, "agents", "codex");
    const body = `cat > "$file" <<'END'\n${fenced(task("shop-1"))}\nEND`;
    writeFileSync(
      codex,
      `#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && file=$2; shift; done\ncat > /dev/null\n${body}\n`,
      {
        mode: 0o755,
      },
    );
    project.settings({ agent: { command: codex } });
    expect((await project.run(storing)).stderr).toContain("Added: shop-1");
    expect(readdirSync(join(project.root, "state", "streams"))).toEqual([]);
  });

  it("only shows them when nobody can be asked", async () => {
    const project = openAnswering([fenced(task("shop-1"))]);
    const { code, stdout, stderr } = await project.run(["task", "generate", "-f", "spec.md"]);
    expect(code).toBe(0);
    expect(stdout).toContain("id: shop-1");
    expect(stderr).toContain("Nothing was stored.");
    expect(await project.json(["task", "list"])).toEqual({ tasks: [] });
  });

  it("asks once more with the problems named, and stores what is valid then (S2-52, S2-56)", async () => {
    const project = openAnswering([task("shop-1", "null"), task("shop-1")]);
    const made = await project.json(storing);
    expect(made).toMatchObject({ isStored: true, asked: 2, spend: { usd: null }, tasks: [{ id: "shop-1" }] });
    expect(project.prompts()[1]).toContain("answer: task shop-1: completion: is required");
    expect(await project.json(["task", "list"])).toMatchObject({ tasks: [{ id: "shop-1" }] });
  });

  it.each([
    ["garbage", "I cannot do that: sorry: no", "I still cannot"],
    ["nothing", "", ""],
  ])("ends with 2 after %s twice and stores nothing (S2-50)", async (_what, first, second) => {
    const project = openAnswering([first, second]);
    const { code, stderr } = await project.run(storing);
    expect(code).toBe(2);
    expect(stderr).toContain("The agent's tasks cannot be used:");
    expect(stderr).toContain("Asked the agent twice");
    expect(await project.json(["task", "list"])).toEqual({ tasks: [] });
  });

  it("names an agent that fails, and files that changed meanwhile", async () => {
    const project = openAnswering([]);
    project.plainAgent("echo x > changed.txt; exit 1");
    const { code, stderr } = await project.run(storing);
    expect(code).toBe(2);
    expect(stderr).toContain("the agent gave no answer");
    expect(stderr).toContain("files of the project changed while the agent answered");
  });

  it.each<[string[], string]>([
    [[], "A specification is missing."],
    [["-f", "nowhere.md"], "There is no file nowhere.md."],
    [["-f", "-"], "The specification - is empty."],
  ])("refuses %j before it asks", async (flags, sentence) => {
    const project = openAnswering([task("shop-1")]);
    const { code, stderr } = await project.run(["task", "generate", ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(project.prompts()).toEqual([]);
  });

  it("ends the agent and stores nothing when it is interrupted", async () => {
    const project = openAnswering([]);
    project.plainAgent("touch ready; sleep 600");
    const started = project.start(storing);
    await until(() => project.has("ready"), "the agent");
    started.child.kill("SIGINT");
    expect((await started.ended).code).toBe(130);
    expect(project.living()).toEqual([]);
    expect(await project.json(["task", "list"])).toEqual({ tasks: [] });
  });
});
