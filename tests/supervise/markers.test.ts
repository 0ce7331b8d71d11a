import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openTask, type ScratchTask } from "./open-task.ts";

const resume = (task: ScratchTask) => task.project.run(["resume", "--task-dir", task.folder.path]);

describe("DONE", () => {
  it("of an earlier run ends the loop without a run, and the message says so (S3-05, S3-13, CW-3G)", async () => {
    const task = openTask();
    task.agent("done_now");
    task.mark("DONE");
    const { code, stderr } = await task.run();
    expect(code).toBe(0);
    expect(stderr).toContain("DONE present before the first run");
    expect(task.records()).toEqual([]);
  });

  it("of an earlier run is removed by --fresh alone, with a notice (CW-3G)", async () => {
    const task = openTask();
    task.agent("done_now");
    task.mark("DONE");
    const { code, stderr } = await task.run(["--fresh"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`Removed ${task.folder.doneFile} of an earlier run (--fresh).`);
    expect(task.records()).toHaveLength(1);
  });

  it("that is a directory is an error, before a run and after it (S3-15, S3-16)", async () => {
    const before = openTask();
    before.agent("done_now");
    mkdirSync(before.folder.doneFile);
    const refused = await before.run();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Fatal error: DONE is a directory");
    expect(before.records()).toEqual([]);
    const after = openTask();
    after.agent('mkdir "$TASK_FOLDER/DONE"');
    expect((await after.run()).code).toBe(2);
    expect(after.records()).toHaveLength(1);
  });

  it("counts by its presence, whatever it holds (S3-14)", async () => {
    const task = openTask();
    task.agent('echo "not yet" > "$TASK_FOLDER/DONE"');
    expect((await task.run()).code).toBe(0);
  });
});

describe("a run that asks to wait", () => {
  it.each([
    ["exit code 42", "exit 42", "waits: exit code 42"],
    ["exit code 42 with a reason", "echo no key >&2; exit 42", "waits: no key (exit code 42)"],
    ["the marker file", 'touch "$TASK_FOLDER/WAIT_WITHOUT_RESTART"', "waits: the file WAIT_WITHOUT_RESTART"],
    [
      "the marker file with a reason, and an exit code",
      'echo "for a review" > "$TASK_FOLDER/WAIT_WITHOUT_RESTART"; exit 1',
      "waits: for a review (the file WAIT_WITHOUT_RESTART)",
    ],
    [
      "a bus message",
      'ralph bus post --type wait_without_restart --body "Waiting for user input"',
      "waits: Waiting for user input (message ",
    ],
  ])("by %s stops without a restart, with status stopped (S3-27..29, R-86, CW-3C)", async (_, body, sentence) => {
    const task = openTask();
    task.agent(body);
    const { code, stderr } = await task.run();
    expect(code).toBe(3);
    expect(stderr).toContain("Wait-without-restart signal detected\n");
    expect(stderr).toContain(`] ${sentence}`);
    expect(stderr).not.toMatch(/fail|error:|warning/i);
    expect(task.records()).toMatchObject([{ status: "stopped", error_summary: "" }]);
    expect(task.bus().at(-1)).toContain(`INFO Wait-without-restart signal detected; ${sentence}`);
    expect(task.bus().filter((line) => /^(?:WARNING|ERROR|RUN_CRASH)|fail/.test(line))).toEqual([]);
    const run = await task.project.json(["show", "--task-dir", task.folder.path]);
    expect(run).toMatchObject({ outcome: "waiting", reason: expect.stringContaining(sentence) });
    const { stdout } = await task.project.run(["show", "--task-dir", task.folder.path]);
    expect(stdout).toContain(`\n  ${sentence}`);
    expect(stdout).not.toMatch(/fail/i);
  });

  it("is done when DONE is there too (R-86, CW-3C)", async () => {
    const task = openTask();
    task.agent('touch "$TASK_FOLDER/WAIT_WITHOUT_RESTART"\ndone_now\nexit 42');
    expect((await task.run()).code).toBe(0);
  });

  it("goes on by resume, which removes the marker and tells the agent to continue (CW-3C)", async () => {
    const task = openTask();
    task.agent('[ $n = 1 ] && touch "$TASK_FOLDER/WAIT_WITHOUT_RESTART"\n[ $n = 2 ] && done_now\nexit 0');
    expect((await task.run()).code).toBe(3);
    expect((await resume(task)).code).toBe(0);
    expect(existsSync(task.folder.waitFile)).toBe(false);
    expect(task.project.prompts()[1]).toContain("Continue working on the following:");
  });

  it("is not taken for an older message of another run (CW-3C, R-45)", async () => {
    const task = openTask();
    task.agent("[ $n = 2 ] && done_now; exit 0");
    await task.project.run([
      "bus",
      "post",
      "--type",
      "wait_without_restart",
      "--body",
      "x",
      "--bus",
      task.folder.busFile,
    ]);
    expect((await task.run()).code).toBe(0);
    expect(task.records()).toHaveLength(2);
  });

  it("is honoured before a run, and a resume of another outcome leaves the marker (CW-3C)", async () => {
    const task = openTask();
    task.agent("exit 1");
    expect((await task.run(["--max-restarts", "1"])).code).toBe(1);
    writeFileSync(task.folder.waitFile, "");
    const { code } = await task.project.run(["resume", "--task-dir", task.folder.path, "-m", "1"]);
    expect(code).toBe(3);
    expect(task.records()).toHaveLength(1);
    expect(existsSync(task.folder.waitFile)).toBe(true);
  });
});
