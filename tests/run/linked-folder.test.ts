import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openProject } from "./scratch-project.ts";

const guardrails = [{ command: "echo checked", failAction: "APPEND" }];

describe(".ralph that is a link", () => {
  it.each([
    ["run", "-p", "Do it"],
    ["supervise", "-p", "Do it"],
    ["init", "--yes", "--force"],
  ])("is refused by ralph %s with exit 2, and nothing is written through it (R-99)", async (...words) => {
    const project = openProject();
    project.claude("claim", { guardrails });
    const [own, outside] = [join(project.directory, ".ralph"), join(project.root, "outside")];
    renameSync(own, outside);
    symlinkSync(outside, own);
    const task = words[0] === "supervise" ? ["--task-dir", join(project.directory, ".ralph", "task")] : [];
    if (task.length > 0) mkdirSync(join(outside, "task"));
    const before = readdirSync(outside);
    const { code, stderr } = await project.run([...words, ...task]);
    expect(stderr).toContain(`${own} is a link or a special file, not a folder`);
    expect(code).toBe(2);
    expect(readdirSync(outside)).toEqual(before);
    expect(project.prompts()).toEqual([]);
  });
});

describe("a turn that replaces a folder by a link", () => {
  it("gets no log of a check written through it, and the journal names it (R-99)", async () => {
    const project = openProject();
    const outside = join(project.root, "outside");
    mkdirSync(outside);
    project.claude(`rm -rf .ralph; ln -s '${outside}' .ralph; claim`, { guardrails });
    const { stderr } = await project.run(["run", "-p", "Do it"]);
    expect(readdirSync(outside)).toEqual([]);
    expect(stderr).toContain(`${join(project.directory, ".ralph")} is a link or a special file`);
  });

  it("gets no file of a task list written through it (R-99)", async () => {
    const project = openList({
      stories: [story("A")],
      acts: [`mkdir ../outside; rm -rf .ralph; ln -s "$(realpath ../outside)" .ralph; ${acts.implement("A")}`],
    });
    await project.prdRun(["-m", "1"]);
    expect(readdirSync(join(project.root, "outside"))).toEqual([]);
    expect(existsSync(join(project.directory, ".ralph", "summary.csv"))).toBe(true);
  });
});
