import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { acts, type ListProject, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { launcher } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const question = "Resume with it? (y/N): ";

/** `ralph resume` in a terminal, after a person removed an acceptance criterion. */
async function resumeEdited(): Promise<{ project: ListProject; terminal: Terminal }> {
  const project = openList({
    stories: [story("A", { acceptanceCriteria: ["one", "two"] })],
    acts: [acts.nothing, "echo more >> code.txt"],
  });
  expect(await project.prdRun(["-n", "1"])).toMatchObject({ code: 1 });
  project.write("ralph/tasks.json", project.read("ralph/tasks.json").replace(/"one",\s*"two"/, '"one"'));
  const terminal = openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "resume", "-m", "1"],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(project.root, "home"),
      RALPH_STATE_HOME: join(project.root, "state"),
    },
    columns: 160,
  });
  return { project, terminal };
}

describe.skipIf(!hasTmux)("people's edits of a task list between turns, resumed in a terminal", () => {
  it("that remove a check go on with yes", async () => {
    const { project, terminal } = await resumeEdited();
    await terminal.answer(question, "y");
    expect(await terminal.exitCode()).toBe(1);
    expect(project.prompts()).toHaveLength(2);
    expect(project.stories()).toMatchObject([{ acceptanceCriteria: ["one"] }]);
  });

  it("that remove a check start no turn after Enter alone", async () => {
    const { project, terminal } = await resumeEdited();
    await terminal.answer(question, "");
    expect(await terminal.exitCode()).toBe(2);
    expect(terminal.screen()).toContain("Story A: the acceptance criterion two was removed.");
    expect(project.prompts()).toHaveLength(1);
  });
});
