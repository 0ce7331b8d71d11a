import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launcher, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const question = "Deliver them with the agent's work? (y/N): ";

/** `ralph run` with delivery in a terminal, in a repository with a change of a person. */
function startDirty(): { project: ScratchProject; terminal: Terminal; subjects: () => string[] } {
  const project = openProject({ isGit: true });
  project.write("a.txt", "one\n");
  project.git("add", "a.txt");
  project.git("commit", "--quiet", "--message", "a");
  project.write("a.txt", "mine\n");
  project.sim("turns: [[claim]]\nanswer: Say mine\n", { scm: { command: "git", tasks: ["commit"] } });
  const terminal = openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "run", "-p", "Do it"],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(project.root, "home"),
      RALPH_STATE_HOME: join(project.root, "state"),
      RALPH_SIM_STATE: join(project.root, "sim-state"),
    },
    columns: 160,
  });
  return { project, terminal, subjects: () => project.git("log", "--format=%s").trim().split("\n") };
}

describe.skipIf(!hasTmux)("a start with changes that are already there, in a terminal", () => {
  it("goes on with yes, and delivers them (S1-63)", async () => {
    const { terminal, subjects } = startDirty();
    await terminal.answer(question, "y");
    expect(await terminal.exitCode()).toBe(0);
    expect(subjects()).toEqual(["Say mine", "a", "start"]);
  });

  it.each([
    ["Enter alone", (terminal: Terminal) => terminal.answer(question, "")],
    ["another word", (terminal: Terminal) => terminal.answer(question, "yep")],
    [
      "Ctrl-C",
      async (terminal: Terminal) => {
        await terminal.endsWith(question);
        terminal.press("C-c");
      },
    ],
  ])("ends with 2 and starts nothing after %s (S1-63)", async (_what, reply) => {
    const { project, terminal, subjects } = startDirty();
    await reply(terminal);
    expect(await terminal.exitCode()).toBe(2);
    expect(terminal.screen()).toContain("start with --allow-dirty");
    expect(subjects()).toEqual(["a", "start"]);
    expect(await project.json(["status"])).toEqual({ runs: [] });
  });
});
