import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../run/scratch-project.ts";
import { isThere } from "../process/start-program.ts";
import { openTask, type ScratchTask } from "./open-task.ts";

/**
 * Shell functions for a child in a session of its own: `register ID` writes its record, `finish ID` closes it. The child
 * works until the file `go` is there.
 */
const childScript = `
record() {
  mkdir -p "$TASK_FOLDER/runs/$1"
  printf 'version: 1\\nrun_id: %s\\nparent_run_id: %s\\npid: %s\\npgid: %s\\nstart_time: "%s"\\nend_time: "%s"\\nexit_code: -1\\nstatus: %s\\n' \\
    "$1" "$JRUN_ID" $$ $$ "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$2" "$3" > "$TASK_FOLDER/runs/$1/.new"
  mv "$TASK_FOLDER/runs/$1/.new" "$TASK_FOLDER/runs/$1/run-info.yaml"
}
register() { record "$1" 0001-01-01T00:00:00Z running; echo $$ > "$TASK_FOLDER/$1.pid"; }
finish() { record "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" completed; touch "$TASK_FOLDER/$1.finished"; }
`;

function childProgram(task: ScratchTask, name: string, body: string): string {
  const path = join(task.project.root, `${name}.sh`);
  writeFileSync(path, `${childScript}${body}\n`);
  return path;
}

const waitForGo = 'while [ ! -e "$TASK_FOLDER/go" ]; do sleep 0.02; done';
const startAndRegister = (path: string): string =>
  `setsid sh ${path} >/dev/null 2>&1 &\nuntil [ -e "$TASK_FOLDER/child-1.pid" ]; do sleep 0.02; done\ndone_now`;

function pidOf(task: ScratchTask, name: string): number {
  return Number(readFileSync(join(task.folder.path, `${name}.pid`), "utf8"));
}

function recordOf(task: ScratchTask, id: string): Record<string, unknown> {
  return parse(readFileSync(join(task.folder.runsFolder, id, "run-info.yaml"), "utf8")) as Record<string, unknown>;
}

function endAfterTest(task: ScratchTask, name: string): void {
  onTestFinished(() => {
    if (isThere(pidOf(task, name))) process.kill(-pidOf(task, name), "SIGKILL");
  });
}

describe("registered children", () => {
  it("are not swept away with their parent but waited for, looked at every second (S3-18, S3-37, R-95, CW-3H)", async () => {
    const task = openTask();
    const path = childProgram(task, "child", `register child-1\n${waitForGo}\nfinish child-1`);
    task.agent(startAndRegister(path));
    const started = task.start();
    await until(() => task.bus().some((line) => line.startsWith("INFO waiting for 1 children")), "the wait");
    expect(isThere(pidOf(task, "child-1"))).toBe(true);
    task.mark("go");
    const { code } = await started.ended;
    expect(code).toBe(0);
    expect(task.has("child-1.finished")).toBe(true);
    expect(task.bus()).toContain("INFO waiting for 1 children to complete: [child-1]");
    expect(task.bus().at(-1)).toBe("INFO task completed (all children finished)");
  });

  it("born during the wait are waited for too (R-96, CW-3E)", async () => {
    const task = openTask();
    const second = childProgram(task, "second", "register child-2\nsleep 1.5\nfinish child-2");
    const first = `register child-1\n${waitForGo}\nsetsid sh ${second} &\nuntil [ -e "$TASK_FOLDER/child-2.pid" ]; do sleep 0.02; done\nfinish child-1`;
    task.agent(startAndRegister(childProgram(task, "first", first)));
    const started = task.start();
    await until(() => task.bus().some((line) => line.includes("waiting for 1 children")), "the wait");
    task.mark("go");
    expect((await started.ended).code).toBe(0);
    expect(task.has("child-2.finished")).toBe(true);
  });

  it("whose processes are gone are marked failed and not waited for (R-97)", async () => {
    const task = openTask();
    task.agent("done_now");
    mkdirSync(join(task.folder.runsFolder, "child-1"), { recursive: true });
    writeFileSync(
      join(task.folder.runsFolder, "child-1", "run-info.yaml"),
      "version: 1\nrun_id: child-1\nparent_run_id: other\npid: 4000000\npgid: 4000000\nstatus: running\n",
    );
    expect((await task.run()).code).toBe(0);
    expect(recordOf(task, "child-1")).toMatchObject({ status: "failed" });
  });

  it("that outlive the wait are named, ended with all they started, and the task is complete (CW-3E, S3-40)", async () => {
    const task = openTask();
    const path = childProgram(
      task,
      "child",
      "trap '' TERM\nsleep 600 &\nregister child-1\nwhile :; do sleep 0.05; done",
    );
    task.agent(startAndRegister(path));
    const { code, stderr } = await task.run(["--child-wait", "300ms"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/timeout waiting for children after \d+(?:\.\d)?s: \[child-1\]/);
    expect(task.bus()).toContainEqual(
      expect.stringMatching(/^WARNING timeout waiting for children after \d+(?:\.\d)?s: \[child-1\]$/),
    );
    expect(isThere(pidOf(task, "child-1"))).toBe(false);
    expect(task.project.living()).toEqual([]);
    expect(recordOf(task, "child-1")).toMatchObject({ status: "failed" });
  });

  it("that outlive the wait are left alone where the settings say so (CW-3E)", async () => {
    const task = openTask();
    const path = childProgram(task, "child", "register child-1\nexec sleep 600");
    task.agent(startAndRegister(path), { children: { onTimeout: "orphan", wait: "200ms" } });
    const { code } = await task.run();
    endAfterTest(task, "child-1");
    expect(code).toBe(0);
    expect(isThere(pidOf(task, "child-1"))).toBe(true);
    process.kill(-pidOf(task, "child-1"), "SIGKILL");
    await until(() => !isThere(pidOf(task, "child-1")), "the child's end");
  });

  it("are left alone with a warning when the recorded process does not lead its group (CW-3E)", async () => {
    const task = openTask();
    const other =
      'sleep 600 &\nregister child-0\nsed -i "s/^pid: .*/pid: $!/; s/child-0/child-1/" "$TASK_FOLDER/runs/child-0/run-info.yaml"';
    const move =
      'mv "$TASK_FOLDER/runs/child-0" "$TASK_FOLDER/runs/child-1"\necho $$ > "$TASK_FOLDER/child-1.pid"\nwait';
    task.agent(startAndRegister(childProgram(task, "child", `${other}\n${move}`)));
    const { code } = await task.run(["--child-wait", "200ms"]);
    endAfterTest(task, "child-1");
    expect(code).toBe(0);
    expect(task.bus()).toContainEqual(expect.stringMatching(/^WARNING child child-1 was left alone: process \d+ /));
    expect(isThere(pidOf(task, "child-1"))).toBe(true);
    process.kill(-pidOf(task, "child-1"), "SIGKILL");
    await until(() => task.project.living().length === 0, "the child's end");
  });

  it("do not hold up a cancel during the wait, which ends them (R-87, S3-40)", async () => {
    const task = openTask();
    const path = childProgram(task, "child", "register child-1\nexec sleep 600");
    task.agent(startAndRegister(path));
    const started = task.start();
    await until(() => task.bus().some((line) => line.includes("waiting for 1 children")), "the wait");
    const cancelled = await task.project.run(["cancel", "--task-dir", task.folder.path]);
    expect(cancelled.code).toBe(0);
    expect((await started.ended).code).toBe(5);
    expect(isThere(pidOf(task, "child-1"))).toBe(false);
  });

  it("in a folder that cannot be listed never fail the task (CW-3J)", async () => {
    const task = openTask();
    // The supervisor may write a record between the two steps and make the folder again: then both are repeated.
    const inPlaceOfFolder = 'rm -rf "$TASK_FOLDER/runs" && (set -C; : > "$TASK_FOLDER/runs")';
    task.agent(`done_now\nuntil ${inPlaceOfFolder}; do :; done`);
    const { code } = await task.run();
    expect(code).toBe(0);
    expect(task.bus()).toContainEqual(expect.stringMatching(/^WARNING failed to enumerate children: /));
  });
});
