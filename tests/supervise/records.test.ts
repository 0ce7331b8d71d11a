import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTask } from "./open-task.ts";

describe("a supervised run on disk", () => {
  it("has its record before the agent starts, with somebody alive in it (R-95)", async () => {
    const task = openTask();
    task.agent('cp "$RUN_FOLDER/run-info.yaml" "$TASK_FOLDER/early.yaml"\nsleep 0.2\ndone_now');
    expect((await task.run()).code).toBe(0);
    expect(task.has("early.yaml")).toBe(true);
    const [record] = task.records();
    expect(record).toMatchObject({ version: 1, agent: "command", status: "completed", project_id: "shop" });
    expect(record?.["pid"]).toBe(record?.["pgid"]);
  });

  it("keeps output, standard error and the prompt, and always an output.md", async () => {
    const task = openTask();
    task.agent('echo "the answer"\necho "a warning" >&2\ndone_now');
    await task.run();
    expect(task.lastRunFile("agent-stdout.txt")).toBe("the answer\n");
    expect(task.lastRunFile("output.md")).toBe("the answer\n");
    expect(task.lastRunFile("agent-stderr.txt")).toBe("a warning\n");
    expect(task.lastRunFile("prompt.md")).toBe(task.project.prompts().at(-1));
  });

  it("lets the agent's own output.md stand, and parses the stream of a known agent", async () => {
    const own = openTask();
    own.agent('echo mine > "$RUN_FOLDER/output.md"\necho other\ndone_now');
    await own.run();
    expect(own.lastRunFile("output.md")).toBe("mine\n");
    const known = openTask();
    known.project.claude('say "parsed words"\ntouch "$TASK_FOLDER/DONE"');
    await known.run();
    expect(known.lastRunFile("output.md")).toBe("parsed words");
  });

  it("names the run before it in a restart, and tells the agent to continue (CW-3I)", async () => {
    const task = openTask();
    task.agent("[ $n = 2 ] && done_now");
    await task.run();
    const [first, second] = task.records();
    expect([first?.["previous_run_id"], second?.["previous_run_id"]]).toEqual(["", first?.["run_id"]]);
    const [start = "", restart = ""] = task.project.prompts();
    expect(start).toContain(`\nTASK_FOLDER=${task.folder.path}\n`);
    expect(start.endsWith("\n---\n\nDo it")).toBe(true);
    expect(restart.endsWith("\n---\n\nContinue working on the following:\n\nDo it")).toBe(true);
  });

  it("has its record also when it was killed between its folder and the record (R-97)", async () => {
    const task = openTask();
    task.agent("done_now");
    const killed = `20261116-1200000000-${spawnSync("true").pid}-1`;
    const beginning = `20261116-1200000000-${process.pid}-2`;
    for (const name of [killed, beginning]) mkdirSync(join(task.folder.runsFolder, name), { recursive: true });
    expect((await task.run()).code).toBe(0);
    const infoOf = (name: string): string => join(task.folder.runsFolder, name, "run-info.yaml");
    expect(readFileSync(infoOf(killed), "utf8")).toMatch(/status: failed[^]*error_summary: its process was gone/);
    expect(existsSync(infoOf(beginning))).toBe(false);
  });

  it("tells the agent where it is, and gives it this very program (S3-17, CW-3I)", async () => {
    const task = openTask();
    task.agent('env > "$TASK_FOLDER/env.txt"\nralph bus post --type FACT --body "from the agent"\ndone_now');
    await task.run();
    expect(task.bus()).toContain("FACT from the agent");
    expect(task.messages().find(({ type }) => type === "FACT")).toMatchObject({
      projectId: "shop",
      taskId: "task-001",
      runId: task.records()[0]?.["run_id"],
    });
  });

  it("takes the task from TASK.md when no prompt is given", async () => {
    const task = openTask();
    writeFileSync(task.folder.taskFile, "From the file\n");
    task.agent("done_now");
    const { code } = await task.project.run(["supervise", "--task-dir", task.folder.path]);
    expect(code).toBe(0);
    expect(task.project.prompts()[0]).toMatch(/\n---\n\nFrom the file$/);
    const nothing = openTask();
    nothing.agent("done_now");
    const refused = await nothing.project.run(["supervise", "--task-dir", nothing.folder.path]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("TASK.md");
  });

  it("finds a task by its ids, and starts a command exactly as it was given", async () => {
    const task = openTask();
    const root = dirname(dirname(task.folder.path));
    const env = { JRUN_RUNS_DIR: root };
    const words = ["supervise", "--project", "shop", "--task", "task-001", "--"];
    const command = [
      "sh",
      "-c",
      'printf "%s|" "$@" > "$TASK_FOLDER/words"; touch "$TASK_FOLDER/DONE"',
      "x",
      "-a b",
      "$c",
    ];
    const { code } = await task.project.run([...words, ...command], { env });
    expect(code).toBe(0);
    expect(task.project.read(join("..", "shop", "task-001", "words"))).toBe("-a b|$c|");
  });

  it("counts in each completion the runs it took, not those of its children and of the one before (S3-18)", async () => {
    const task = openTask();
    const child =
      "mkdir -p $TASK_FOLDER/runs/child-1 && printf 'run_id: child-1\\nparent_run_id: %s\\nstart_time: 2030-01-01T00:00:00Z\\n";
    task.agent(`[ $n = 1 ] && ${child}end_time: 2030-01-01T00:00:00Z\\n' $JRUN_ID > $TASK_FOLDER/runs/child-1/run-info.yaml
ralph bus post --type FACT --body "run $n"
[ $n = 1 ] || done_now`);
    const facts = async (): Promise<string[]> => {
      const { stdout } = await task.project.run(["bus", "read", "--all", "--bus", task.folder.projectBusFile]);
      return stdout.match(/task task-001 .*/g) ?? [];
    };
    await task.run();
    expect(await facts()).toEqual(["task task-001 completed (runs: 2, children: 1, facts: 2)"]);
    rmSync(join(task.folder.runsFolder, "child-1"), { recursive: true });
    await task.run(["--fresh"]);
    expect((await facts()).at(-1)).toBe("task task-001 completed (runs: 1, facts: 1)");
  });

  it("tells the project of a completion once, also after its state file was lost; failing to never fails the task (R-98, S3-18)", async () => {
    const task = openTask();
    task.agent("done_now");
    const facts = async (): Promise<number> => {
      const words = ["bus", "read", "--all", "--json", "--bus", task.folder.projectBusFile];
      return (await task.project.run(words)).stdout.trim().split("\n").length;
    };
    await task.run();
    expect(await facts()).toBe(1);
    await task.run();
    writeFileSync(task.folder.propagationFile, "");
    await task.run();
    expect(await facts()).toBe(1);
    const broken = openTask();
    broken.agent(`mkdir -p "${broken.folder.projectBusFile}"\ndone_now`);
    const { code, stderr } = await broken.run();
    expect(code).toBe(0);
    expect(stderr).toContain("The project was not told of the completion");
  });
});
