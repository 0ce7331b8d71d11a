import { describe, expect, it } from "vitest";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openTask } from "../supervise/open-task.ts";
import { believed, openWork } from "../work/open-work.ts";
import { openProject } from "./scratch-project.ts";

/** One line, before anything of the agent is shown. */
function check(stderr: string, programs: string): void {
  const lines = stderr.split("\n").filter((line) => line.startsWith("unsandboxed: "));
  expect(lines).toEqual([`unsandboxed: ${programs} directly on this machine, with your rights.`]);
}

describe("a run says in one line that its agent is in no sandbox (S4-08)", () => {
  it("as `ralph run`, with the name of the program", async () => {
    const project = openProject();
    project.claude("claim");
    const { stderr } = await project.run(["run", "-p", "Do it"]);
    check(stderr, "claude works");
  });

  it("as a run that is resumed", async () => {
    const project = openProject();
    project.claude("true");
    await project.run(["run", "-p", "Do it", "-m", "1"]);
    const { stderr } = await project.run(["resume", "-m", "1"]);
    check(stderr, "claude works");
  });

  it("as `ralph prd run`, with the reviewer's program", async () => {
    const project = openList({
      stories: [story("A")],
      acts: [acts.nothing],
      settings: { review: { agent: { command: "sh" } } },
    });
    const { stderr } = await project.prdRun(["-n", "1"]);
    expect(stderr).toMatch(/^unsandboxed: claude, sh work directly on this machine, with your rights\.$/m);
  });

  it("as `ralph supervise`", async () => {
    const task = openTask();
    task.agent("done_now");
    const { stderr } = await task.run();
    expect(stderr).toMatch(/^\[[-\d: ]+\] unsandboxed: \S+ works directly on this machine, with your rights\.$/m);
  });

  it("as `ralph work`, once for all roles", async () => {
    const project = openWork();
    project.worker("claim");
    await project.tasks({ id: "a", completion: believed });
    const { stderr } = await project.run(["work"]);
    expect(stderr.match(/^unsandboxed: \S+ works directly on this machine/gm)).toHaveLength(1);
  });

  it("has the time stamp of the lines that follow it, where they have one", async () => {
    const project = openProject();
    project.plainAgent("touch made\nclaim");
    const { stderr } = await project.run(["run", "-p", "x", "--timestamps"]);
    expect(stderr).toMatch(/^\[\d\d:\d\d:\d\d\] unsandboxed: /m);
  });
});
