import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { findBus, inferFields, placeOf } from "./find-bus.ts";

describe("the nearest bus", () => {
  it("is looked for upwards, in each folder that of the task, of the project, then any (S3-36)", () => {
    const root = scratchFolder();
    const run = join(root, "shop", "task-001", "runs", "r1");
    mkdirSync(run, { recursive: true });
    const make = (path: string): void => writeFileSync(join(root, path), "");
    make("MESSAGE-BUS.md");
    expect(findBus(run)).toEqual({ path: join(root, "MESSAGE-BUS.md"), kind: "other" });
    make("shop/PROJECT-MESSAGE-BUS.md");
    expect(findBus(run)?.path).toBe(join(root, "shop", "PROJECT-MESSAGE-BUS.md"));
    make("shop/task-001/MESSAGE-BUS.md");
    make("shop/task-001/TASK-MESSAGE-BUS.md");
    expect(findBus(run)).toEqual({ path: join(root, "shop", "task-001", "TASK-MESSAGE-BUS.md"), kind: "task" });
    expect(findBus(join(root, "shop"))?.kind).toBe("project");
  });

  it("tells project and task by its place", () => {
    expect(inferFields(placeOf("/r/shop/task-001/TASK-MESSAGE-BUS.md"))).toEqual({
      projectId: "shop",
      taskId: "task-001",
    });
    expect(inferFields(placeOf("/r/shop/PROJECT-MESSAGE-BUS.md"))).toEqual({ projectId: "shop", taskId: null });
    expect(inferFields(placeOf("/r/shop/notes.md"))).toEqual({ projectId: null, taskId: null });
  });
});
