import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

/** What both ways of running a command print, without what differs from one run to the next. */
async function bothWays(project: ScratchProject, words: string[]): Promise<[unknown, unknown]> {
  const clean = (text: string): string => text.replaceAll(/\d{8}-\d{6}-\w{4}|\d+(?:\.\d+)?s\b/g, "…");
  const told = async (ended: ReturnType<ScratchProject["run"]>): Promise<unknown> => {
    const { stdout, stderr, ...others } = await ended;
    return { ...others, stdout: clean(stdout), stderr: clean(stderr) };
  };
  return [await told(project.run(words)), await told(project.start(words).ended)];
}

/** With a process for each command there is nothing to compare. */
const isWarm = process.env["RALPH_TEST_PROCESSES"] !== "1";

describe.runIf(isWarm)("a command in a process that ran others before it", () => {
  it.each([
    ["a run that completes", ["run", "-p", "Do it"]],
    ["a plan", ["run", "-p", "Do it", "--dry-run"]],
    ["settings", ["settings"]],
    ["a wrong option", ["run", "--nonsense"]],
    ["no run", ["show", "nobody"]],
  ])("ends and prints as in a process of its own: %s", async (_, words) => {
    const project = openProject();
    project.claude("claim");
    await project.run(["status"]);
    const [warm, alone] = await bothWays(project, words);
    expect(warm).toEqual(alone);
  });

  it("sees its own environment, folder and input only", async () => {
    const [first, second] = [openProject(), openProject()];
    first.claude("claim");
    second.claude("claim");
    const other = join(first.root, "other-state");
    await first.run(["run", "-f", "-"], { stdin: "Do this", env: { RALPH_STATE_HOME: other } });
    expect([existsSync(other), first.prompts()[0]]).toEqual([true, expect.stringContaining("Do this")]);
    expect(await first.json(["status", "--all"])).toMatchObject({ runs: [] });
    await second.run(["run", "-p", "Do that"]);
    expect(await second.json(["status", "--all"])).toMatchObject({ runs: [{ topic: "Do that" }] });
  });

  it("runs beside another in a process of its own", async () => {
    const project = openProject();
    const codes = await Promise.all([project.run(["status"]), project.run(["nonsense"])]);
    expect(codes.map(({ code }) => code)).toEqual([0, 2]);
  });

  it("is killed when it does not end in time", async () => {
    const project = openProject();
    project.claude("sleep 60");
    const { signal, stderr } = await project.run(["run", "-p", "Do it"], { timeoutMs: 2_000 });
    expect([signal, stderr]).toEqual(["SIGKILL", expect.stringContaining("killed by the test after 2000 ms")]);
    for (const pid of project.living()) process.kill(pid, "SIGKILL");
    expect((await project.run(["status"])).code).toBe(0);
  });
});
