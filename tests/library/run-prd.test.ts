import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runPrd } from "../../src/index.ts";
import { acts, openList } from "../prd/list-project.ts";
import { story } from "../prd/sample-task-file.ts";
import { openFolder } from "./open-folder.ts";

it("works through a task list with an agent that is a function, implemented and reviewed", async () => {
  const list = openList({ stories: [story("S-1")], acts: [acts.nothing] });
  const roles: string[] = [];
  const run = runPrd({
    projectDir: list.directory,
    stateFolder: openFolder(),
    unsafe: true,
    agent: ({ prompt, projectDir }) => {
      const role = /You (\S+) S-1/.exec(prompt)?.[1] ?? "";
      roles.push(role);
      const path = join(projectDir, "ralph/tasks.json");
      const file = JSON.parse(readFileSync(path, "utf8")) as { userStories: Record<string, unknown>[] };
      const change =
        role === "review"
          ? { reviewStatus: "approved", passes: true, reviewCount: 1 }
          : { reviewStatus: "needs_review", notes: "done" };
      file.userStories = file.userStories.map((each) => ({ ...each, ...change }));
      writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
      if (role !== "review") appendFileSync(join(projectDir, "code.txt"), "more\n");
      execFileSync("git", ["commit", "--quiet", "--all", "--message", role], { cwd: projectDir });
      return "The turn is over.";
    },
  });
  expect(await run.outcome).toMatchObject({ name: "completed" });
  expect(roles).toEqual(["implement", "review"]);
});

it("needs consent to an agent that nothing guards, and a list", async () => {
  const list = openList({ stories: [story("S-1")], acts: [acts.nothing] });
  const options = { stateFolder: openFolder(), agent: () => "" };
  await expect(runPrd({ ...options, projectDir: list.directory }).outcome).rejects.toThrow("guarded");
  await expect(runPrd({ ...options, projectDir: openFolder() }).outcome).rejects.toThrow("no task list");
});
