import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandTree } from "../../src/surfaces/cli/tree/command-tree.ts";
import { openTask } from "./open-task.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/supervise.md"), "utf8").replaceAll(/\s+/g, " ");

it("tells how many restarts and how long a delay are good, and of the limits on Windows (S3-23, S3-38)", () => {
  for (const words of ["10 restarts are enough for most tasks, 50 for flaky ones", "delay of 5s", "Never 0", "WSL2"])
    expect(guide).toContain(words);
});

it("names only options there are", () => {
  const spec = commandTree.find(({ name }) => name === "supervise");
  const known = spec?.options.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0]) ?? [];
  const named = [...guide.matchAll(/`(--[\w-]+)/g)].map(([, flag]) => flag);
  expect(named.filter((flag) => !known.includes(flag))).toEqual([]);
});

it("restarts after an error that may pass, and says so (S3-30, S3-34)", async () => {
  const task = openTask();
  const error = '{"type":"result","subtype":"success","is_error":true,"result":"API Error: overloaded"}';
  task.project.claude(`[ $n = 1 ] && { printf '%s\\n' '${error}'; exit 1; }\ntouch "$TASK_FOLDER/DONE"`);
  const { code, stderr } = await task.run();
  expect(code).toBe(0);
  expect(stderr).toMatch(/Transient error: .*overloaded/);
  expect(task.records()).toHaveLength(2);
});
