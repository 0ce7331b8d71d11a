import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { story, taskFileText } from "../prd/sample-task-file.ts";
import { launcher, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

/** `ralph prd plan` on a terminal, with an agent that asks one question and then does what `body` says. */
async function startPlan(body: string, before = "true"): Promise<{ project: ScratchProject; terminal: Terminal }> {
  const project = openProject();
  expect((await project.run(["prd", "init"])).code).toBe(0);
  project.plainAgent(`${before}; printf 'What shall it do? '; read answer; ${body}`);
  const terminal = openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "prd", "plan"],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(project.root, "home"),
      RALPH_STATE_HOME: join(project.root, "state"),
    },
    columns: 120,
  });
  return { project, terminal };
}

describe.skipIf(!hasTmux)("ralph prd plan on a terminal", () => {
  it("lets the agent ask, and shows the list it wrote (S4-86)", async () => {
    const { project, terminal } = await startPlan('echo "$answer" >> ralph/prd.md; cp planned.json ralph/tasks.json');
    project.write("planned.json", taskFileText([story("US-001", { title: "Sell things" })]));
    await terminal.answer("What shall it do? ", "A shop");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toContain("US-001  Sell things\nralph/tasks.json is ready. Look at it: ralph prd status");
    expect(project.read("ralph/prd.md")).toContain("A shop\n");
    const [prompt] = project.prompts();
    expect(prompt).toMatch(/^# Plan a feature for ralph/);
    expect(prompt).toContain("`ralph/prd.md`");
  });

  it("leaves Ctrl-C to the agent, and looks at the list when that has ended (S4-86)", async () => {
    const { terminal } = await startPlan("true", "trap 'echo Heard.; exit 7' INT");
    await terminal.endsWith("What shall it do? ");
    terminal.press("C-c");
    expect(await terminal.exitCode()).toBe(2);
    expect(terminal.screen()).toContain("Heard.\nralph/tasks.json is still the template.");
  });

  it("says what is missing when nothing was planned (S4-86)", async () => {
    const { terminal } = await startPlan("true");
    await terminal.answer("What shall it do? ", "nothing");
    expect(await terminal.exitCode()).toBe(2);
    expect(terminal.screen()).toContain("ralph/tasks.json is still the template.\nContinue with: ralph prd plan");
  });
});
