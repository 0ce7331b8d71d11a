import { describe, expect, it } from "vitest";
import { newTask } from "./edit-task.ts";
import { type ImportOptions, planImport, taskProblemLine } from "./plan-import.ts";
import { readTask } from "./read-task.ts";
import type { Task } from "./task.ts";

const completion = { outcome: "It works.", acceptance_criteria: ["A test passes"] };
const document = (id: string, changes: Record<string, unknown> = {}) => ({ id, title: id, completion, ...changes });

function stored(id: string, changes: Record<string, unknown> = {}): Task {
  const read = readTask(document(id, changes));
  if (!("task" in read)) throw new Error(JSON.stringify(read.problems));
  return newTask(read.task, 5);
}

const nothing: ImportOptions = { stored: [], isReplacing: false, at: 10 };

describe("planning an import", () => {
  const plan = (documents: unknown[], options: Partial<ImportOptions> = {}) =>
    planImport([{ name: "tasks.yaml", documents }], { ...nothing, ...options });
  const refused = (documents: unknown[], options: Partial<ImportOptions> = {}) => {
    const made = plan(documents, options);
    return "problems" in made ? made.problems.map(taskProblemLine) : [];
  };

  it.each([
    ["one task", [document("a")]],
    ["a list", [[document("a")]]],
    ["an object with tasks", [{ tasks: [document("a")] }]],
    ["an object with a task", [{ task: document("a") }]],
    ["a list of such objects", [{ tasks: [{ task: document("a") }] }]],
  ])("takes %s (S2-51)", (_what, documents) => {
    expect(plan(documents)).toMatchObject({ added: ["a"], writes: [{ task: { id: "a" }, expected: null }] });
  });

  it("refuses what stands beside a task, where it would hold nobody to anything (S2-50)", () => {
    const made = plan([{ task: document("a"), completion: { outcome: "It works." } }]);
    expect("problems" in made && made.problems.map(taskProblemLine)).toEqual([
      "tasks.yaml: completion: stands beside task: put it below task",
    ]);
  });

  it("resolves dependencies over all files and what is stored (S2-51)", () => {
    const sources = [
      { name: "one.yaml", documents: [document("a", { dependencies: ["b", "old"] })] },
      { name: "two.yaml", documents: [document("b")] },
    ];
    expect(planImport(sources, { ...nothing, stored: [stored("old")] })).toMatchObject({ added: ["a", "b"] });
    expect(planImport(sources, nothing)).toEqual({
      problems: [{ source: "one.yaml", task: "a", path: "dependencies", message: "names the unknown task old" }],
    });
  });

  it("names file, task and path of everything that is wrong, at once (S2-50)", () => {
    const bad = document("b", { completion: { outcome: "x" } });
    expect(refused([{ tasks: [document("a", { priority: 0 }), bad, { title: "x" }] }])).toEqual([
      "tasks.yaml: task a: priority: must be a whole number from 1 to 1000, not 0",
      "tasks.yaml: task b: completion.acceptance_criteria: needs at least one criterion",
      "tasks.yaml: tasks[2].id: is required",
    ]);
    expect(refused([document("a"), document("a")])).toEqual([
      'tasks.yaml: task a: id: "a" is the id of another task too (tasks.yaml)',
    ]);
    expect(refused([null])).toEqual(["tasks.yaml: there is no task in it"]);
    expect(refused([Array.from({ length: 1001 }, (_, index) => document(`a${index}`))])).toEqual([
      "import: 1001 tasks; at most 1000 at a time",
    ]);
  });

  it("replaces a stored task only when told to, as its next version, and leaves an equal one alone", () => {
    const former = { ...stored("a"), updatedAt: 7 };
    const changed = document("a", { title: "new" });
    expect(refused([changed], { stored: [former] })).toEqual([
      "tasks.yaml: task a: id: there is already another task of this id",
    ]);
    expect(plan([changed], { stored: [former], isReplacing: true })).toMatchObject({
      replaced: ["a"],
      writes: [{ task: { title: "new", version: 2, createdAt: 5, updatedAt: 10 }, expected: 7 }],
    });
    expect(plan([document("a")], { stored: [former] })).toMatchObject({ unchanged: ["a"], writes: [] });
  });

  it("warns of a task without completion, which gets default criteria (S2-57, CW-2E)", () => {
    const made = plan([document("a", { completion: null })]);
    expect(made).toMatchObject({ added: ["a"], writes: [{ task: { completion: null } }] });
    expect(made).toMatchObject({
      warnings: ["tasks.yaml: task a has no completion; default criteria will be used, and its runs say so."],
    });
  });
});
