import { describe, expect, it } from "vitest";
import { approved, story, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { findDependencyFaults, isReady } from "./dependencies.ts";

describe("dependencies", () => {
  it("are looked at before a run, also where another story could begin (CW-4G, R-104)", () => {
    const stories = [story("A"), story("B", { dependsOn: ["C", "X"] }), story("C", { dependsOn: ["B"] })];
    expect(findDependencyFaults(taskFile(stories))).toEqual([
      "Story B depends on X, which does not exist.",
      "Stories depend on each other in a circle: B → C → B.",
    ]);
  });

  it("of finished stories do not matter", () =>
    expect(findDependencyFaults(taskFile([story("A", { ...approved, dependsOn: ["X", "A"] })]))).toEqual([]));

  it("that meet in one story are no circle", () => {
    const stories = [
      story("A", { dependsOn: ["B", "C"] }),
      story("B", { dependsOn: ["D"] }),
      story("C", { dependsOn: ["D"] }),
      story("D"),
    ];
    const file = taskFile(stories);
    expect(findDependencyFaults(file)).toEqual([]);
    expect(file.tasks.filter((task) => isReady(file, task)).map(({ id }) => id)).toEqual(["D"]);
  });

  it("in a chain of a thousand are walked without trouble", () => {
    const stories = Array.from({ length: 1000 }, (_, at) =>
      story(`S${at}`, { dependsOn: at === 999 ? ["S0"] : [`S${at + 1}`] }),
    );
    expect(findDependencyFaults(taskFile(stories))).toHaveLength(1);
  });
});
