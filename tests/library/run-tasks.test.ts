import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTasks, type RunTasksOptions } from "../../src/index.ts";
import { openFolder } from "./open-folder.ts";

describe("runTasks", () => {
  it("takes tasks through their roles with an agent that is a function, and refuses a lie", async () => {
    const projectDir = openFolder();
    const ends: string[] = [];
    const lies: string[] = [];
    const work = runTasks({
      projectDir,
      stateFolder: openFolder(),
      tasks: [
        { id: "one", title: "Make one" },
        { id: "two", title: "Make two", dependencies: ["one"] },
      ],
      roles: ["coder"],
      settings: { verifyCommand: "true" },
      agent: ({ prompt }) => {
        const name = prompt.includes("Make two") ? "two" : "one";
        if (lies.includes(name)) writeFileSync(join(projectDir, name), "");
        lies.push(name);
        return "<promise>IMPLEMENTATION_COMPLETE</promise>";
      },
      checks: [{ name: "each is made", check: () => existsSync(join(projectDir, lies.at(-1) ?? "")) }],
      onTaskEnd: ({ id, status }) => ends.push(`${id} ${status}`),
    });
    const runs = new Set<string>();
    for await (const event of work.events) if (event.kind === "started") runs.add(event.runId);
    expect(await work.outcome).toMatchObject({ name: "completed" });
    expect(ends).toEqual(["one done", "two done"]);
    expect(lies).toEqual(["one", "one", "two", "two"]);
    expect(runs.size).toBe(3);
    expect(runs.has(work.id)).toBe(true);
  });

  it("stores no task of a project from inside a run of it: an agent cannot act on its own run", async () => {
    const options = { projectDir: openFolder(), stateFolder: openFolder(), roles: ["coder" as const] };
    const settings = { verifyCommand: "true", maximumIterations: 1 };
    const refused: unknown[] = [];
    const easier = { id: "one", title: "Nothing to do", completion: null };
    const agent = async (): Promise<string> => {
      refused.push(await runTasks({ ...options, tasks: [easier] }).outcome.catch((error: unknown) => error));
      return "<promise>IMPLEMENTATION_COMPLETE</promise>";
    };
    const tasks = [{ id: "one", title: "Make one" }];
    expect(await runTasks({ ...options, settings, agent, tasks }).outcome).toMatchObject({ name: "completed" });
    expect(refused).toMatchObject([{ name: "RalphError", code: "own-run" }]);
  });

  it("is stopped, never completed, where a task that is meant cannot be played", async () => {
    const options = { projectDir: openFolder(), stateFolder: openFolder(), roles: ["coder" as const] };
    const settings = { verifyCommand: "false", agent: { retryDelay: null } };
    const task = { id: "one", title: "One", completion: null };
    const agent = () => "<promise>IMPLEMENTATION_COMPLETE</promise>";
    const failed = runTasks({
      ...options,
      settings,
      agent,
      tasks: [task, { id: "two", title: "Two", dependencies: ["one"] }],
    });
    expect((await failed.outcome).name).not.toBe("completed");
    const again = runTasks({ ...options, settings, agent, tasks: ["two"] });
    expect((await again.outcome.catch(() => ({ name: "refused" }))).name).not.toBe("completed");
    expect((await runTasks({ ...options, settings, agent }).outcome).name).not.toBe("completed");
  });

  it("says that there is nothing to do, and names a task that is not there", async () => {
    const options = { projectDir: openFolder(), stateFolder: openFolder(), agent: () => "" };
    expect(await runTasks(options).outcome).toMatchObject({ name: "completed", isVerified: false });
    await expect(runTasks({ ...options, tasks: ["gone"] }).outcome).rejects.toThrow("gone");
    const odd = { id: "odd", title: 7 } as unknown as NonNullable<RunTasksOptions["tasks"]>[number];
    await expect(runTasks({ ...options, tasks: [odd] }).outcome).rejects.toThrow("title");
  });

  it.each<[string, object, string]>([
    ["several jobs in one directory", { jobs: 2 }, "worktrees"],
    ["a role that does not exist", { roles: ["boss"] }, "roles"],
    ["no jobs", { jobs: 0 }, "jobs"],
  ])("is refused with %s", (_, options, name) => {
    expect(() => runTasks(options as RunTasksOptions)).toThrow(name);
  });
});
