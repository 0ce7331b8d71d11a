import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { type AskedBus, busForPost, busForReading } from "./choose-bus.ts";

/** Reads and posts from a folder with these buses in it, one task at work and a newer one that ended. */
async function check(buses: string[], expected: string): Promise<void> {
  const folder = scratchFolder();
  for (const name of buses) writeFileSync(join(folder, name), "");
  const asked: AskedBus = {
    path: null,
    folder: () => folder,
    isFolderGiven: false,
    taskDirOf: (_, which) => Promise.resolve(join(folder, which === "at-work" ? "working" : "ended")),
  };
  expect((await busForReading(asked, {})).path).toBe(join(folder, expected));
  expect((await busForPost(asked, {})).path).toBe(join(folder, expected));
}

it("takes the bus of the task at work before that of its project (S3-36)", () =>
  check(["PROJECT-MESSAGE-BUS.md"], "working/TASK-MESSAGE-BUS.md"));

it("takes any other bus of the folder before that of a task that was started from it (S3-36)", async () => {
  await check(["MESSAGE-BUS.md"], "MESSAGE-BUS.md");
  await check(["PROJECT-MESSAGE-BUS.md", "TASK-MESSAGE-BUS.md"], "TASK-MESSAGE-BUS.md");
});
