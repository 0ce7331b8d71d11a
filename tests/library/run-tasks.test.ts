import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { runTasks, type RunTasksOptions, wire } from "../../src/index.ts";
import { patient } from "../patience.ts";
import { openFolder } from "./open-folder.ts";

/** A program whose agent never ends its turn. */
const program = `
  import { writeFileSync } from "node:fs";
  import { runTasks } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../dist/index.js")).href)};
  const agent = () => new Promise(() => { writeFileSync("begun", ""); setInterval(() => {}, 1000); });
  const tasks = [{ id: "one", title: "Former" }];
  await runTasks({ tasks, roles: ["coder"], agent, stateFolder: process.argv[2], settings: { verifyCommand: "true" } }).outcome;
`;

/** The tasks of a project as they are stored. */
async function storedTasks({
  projectDir,
  stateFolder,
}: {
  projectDir: string;
  stateFolder: string;
}): Promise<string[]> {
  const { store } = await wire({ folder: stateFolder });
  const tasks = await store.listTasks(projectDir);
  await store.close();
  return tasks.map(({ id, title, version, status }) => `${id}: ${title}, version ${version}, ${status}`);
}

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
    expect(await runTasks(options).outcome).toEqual({
      name: "stopped",
      reason: "There are no tasks yet. Add some: ralph task import FILE",
    });
    await expect(runTasks({ ...options, tasks: ["gone"] }).outcome).rejects.toThrow("gone");
    const odd = { id: "odd", title: 7 } as unknown as NonNullable<RunTasksOptions["tasks"]>[number];
    await expect(runTasks({ ...options, tasks: [odd] }).outcome).rejects.toThrow("title");
  });

  it.each<[string, object, string]>([
    ["several jobs in one directory", { jobs: 2 }, "worktrees"],
    ["a role that does not exist", { roles: ["boss"] }, "roles"],
    ["no jobs", { jobs: 0 }, "jobs"],
    ["more jobs than ralph work takes", { jobs: 65, worktrees: true }, "option jobs is 65, expected .* at most 64"],
    ["no roles", { roles: [] }, "option roles is a list of 0, expected a list with at least one item"],
    ["a role twice", { roles: ["coder", "coder"] }, "option roles is a list of 2, expected .* none twice"],
  ])("is refused with %s", (_, options, name) => {
    expect(() => runTasks(options as RunTasksOptions)).toThrow(new RegExp(name));
  });

  it("changes no task when it is refused for its settings, its names or missing criteria", async () => {
    const options = { projectDir: openFolder(), stateFolder: openFolder(), roles: ["coder" as const] };
    const former = { id: "one", title: "Former" };
    const agent = () => "<promise>IMPLEMENTATION_COMPLETE</promise>";
    const settings = { verifyCommand: "true" };
    await runTasks({ ...options, agent, settings, tasks: [former] }).outcome;
    const tasks = [
      { id: "one", title: "Rewritten" },
      { id: "two", title: "Added" },
    ];
    const refused: [object, string][] = [
      [{ settings: { foo: 1 } }, "option settings of runTasks"],
      [{ tasks: [...tasks, "gone"] }, "gone"],
      [{ settings: { ...settings, missingSpec: "error" } }, "missingSpec"],
    ];
    for (const [wrong, said] of refused)
      await expect(runTasks({ ...options, agent, settings, tasks, ...wrong }).outcome).rejects.toThrow(said);
    expect(await storedTasks(options)).toEqual(["one: Former, version 1, done"]);
  });

  it("changes no task of a run that another program drives", async () => {
    const projectDir = openFolder({ "program.mjs": program });
    const stateFolder = openFolder();
    const child = spawn(process.execPath, ["program.mjs", stateFolder], { cwd: projectDir, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect.poll(() => existsSync(join(projectDir, "begun")), { timeout: patient(20_000) }).toBe(true);
    const options = { projectDir, stateFolder, agent: () => "", roles: ["coder" as const] };
    const call = runTasks({ ...options, tasks: [{ id: "one", title: "Rewritten" }] });
    await expect(call.outcome).rejects.toMatchObject({ name: "RalphError", code: "locked" });
    expect(await storedTasks(options)).toEqual(["one: Former, version 1, running"]);
  });
});
