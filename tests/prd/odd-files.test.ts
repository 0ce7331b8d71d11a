import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { oddThings, putThere } from "../run/odd-places.ts";
import { acts, openList } from "./list-project.ts";
import { story } from "./sample-task-file.ts";
import { patient } from "../patience.ts";

const places = ["ralph/tasks.json", "ralph/prd.md", "ralph/prompt.md", ".ralph-active"] as const;

describe("ralph prd with something odd in place of a file", () => {
  it.each(places)("does not wait for a writer when %s is a pipe (R-99)", async (place) => {
    const project = openList({ stories: [story("A")], acts: [acts.nothing] });
    putThere(join(project.directory, place), "a pipe");
    for (const words of [["run", "--unsafe", "-n", "1"], ["status"], ["archive"]]) {
      const { code, stderr } = await project.run(["prd", ...words], { timeoutMs: patient(20_000) });
      expect(stderr).not.toContain("killed by the test");
      expect(stderr).not.toContain("internal error");
      expect(code).not.toBeNull();
    }
  });

  it.each(oddThings)("brings the list back when a turn made it %s, and names it (R-99)", async (thing) => {
    const act = {
      "a pipe": "rm ralph/tasks.json; mkfifo ralph/tasks.json",
      "a device": "ln -sf /dev/zero ralph/tasks.json",
      "a folder": "rm ralph/tasks.json; mkdir ralph/tasks.json",
      "too large": "truncate -s 17M ralph/tasks.json",
    }[thing];
    const project = openList({ stories: [story("A")], acts: [act] });
    const { stderr } = await project.prdRun(["-n", "1"]);
    expect(stderr).not.toContain("killed by the test");
    expect(project.stories().map(({ id }) => id)).toEqual(["A"]);
    expect((await project.shown()).iterations[0]?.violations.join(" ")).toContain("tasks.json");
  });
});
