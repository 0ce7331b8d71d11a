import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { oddThings, putThere } from "../run/odd-places.ts";
import { openTask } from "./open-task.ts";

describe("ralph supervise with something odd in place of a file", () => {
  it.each(oddThings)("refuses a TASK.md that is %s with exit 2 and names it (R-99)", async (thing) => {
    const task = openTask();
    const { project, folder } = task;
    task.agent("done_now");
    putThere(folder.taskFile, thing);
    const { code, stderr } = await project.run(["supervise", "--task-dir", folder.path]);
    expect(stderr).toContain(`ralph: ${folder.taskFile} is ${thing}`);
    expect(code).toBe(2);
    expect(project.prompts()).toEqual([]);
  });

  it.each(["a pipe", "a device", "a folder"] as const)(
    "does not hang when the message bus and the record of a run are %s (R-99)",
    async (thing) => {
      const task = openTask();
      task.agent("done_now");
      putThere(task.folder.busFile, thing);
      putThere(join(task.folder.runsFolder, "run_20260101-0000000000-1", "run-info.yaml"), thing);
      const { code, stderr } = await task.run();
      expect(stderr).not.toContain("killed by the test");
      expect(stderr).not.toContain("internal error");
      expect(code).not.toBeNull();
    },
  );
});
