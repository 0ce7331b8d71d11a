import { describe, expect, it } from "vitest";
import { readTask } from "./read-task.ts";
import { writeTask } from "./write-task.ts";

const whole = {
  id: "auth-001",
  spec: "authentication",
  title: "Sign in",
  description: "Add a form.\nAnd a route.",
  priority: 1,
  dependencies: ["base", "db.2"],
  assignee: "ada",
  metadata: { ticket: 7, tags: ["x"] },
  completion: {
    outcome: "People sign in.",
    acceptance_criteria: ["A wrong password is refused"],
    coder: {
      promise: "CODED",
      description: "Done",
      verification_method: "external",
      verification_config: { command: "npm test", success_exit_code: 0, timeout: 300, working_dir: "." },
    },
  },
};

describe("reading a task", () => {
  it("reads every field, and writes the same document again (S2-05, S2-51)", () => {
    const read = readTask(whole);
    expect(read).toMatchObject({
      task: { id: "auth-001", priority: 1, completion: { criteria: { coder: { promise: "CODED" } } } },
    });
    expect("task" in read && writeTask(read.task)).toEqual(whole);
  });

  it("needs no more than id and title, and takes a task without any completion (S2-57, CW-2E)", () => {
    const task = {
      id: "a",
      spec: "",
      title: "T",
      description: "",
      priority: 3,
      dependencies: [],
      assignee: null,
      metadata: {},
      completion: null,
    };
    expect(readTask({ id: "a", title: "T" })).toEqual({ task });
    expect(readTask({ id: "a", title: "T", description: "", spec: "", completion: null })).toEqual({ task });
    expect(writeTask(task)).toEqual({ id: "a", title: "T" });
  });

  const check = (changes: Record<string, unknown>, expected: [path: string, words: string][]) => {
    const read = readTask({ ...whole, ...changes });
    const found = "problems" in read ? read.problems : [];
    expect(found.map(({ path }) => path)).toEqual(expected.map(([path]) => path));
    for (const [index, [, words]] of expected.entries()) expect(found[index]?.message).toContain(words);
  };

  it.each<[string, Record<string, unknown>, [string, string][]]>([
    ["no id", { id: undefined }, [["id", "is required"]]],
    ["an id that is a number", { id: 1 }, [["id", "must be a text, not 1"]]],
    ["an id with a blank", { id: "a b" }, [["id", '"a b" is not a task id']]],
    ["an id that climbs", { id: "a..b" }, [["id", "is not a task id"]]],
    ["an id git cannot take", { id: "a.lock" }, [["id", "is not a task id"]]],
    ["no title", { title: " " }, [["title", "must not be empty"]]],
    ["priority 0", { priority: 0 }, [["priority", "from 1 to 1000, not 0"]]],
    ["a dependency that is no id", { dependencies: ["x", 3] }, [["dependencies[1]", "not 3"]]],
    ["a dependency twice", { dependencies: ["x", "x"] }, [["dependencies[1]", "names x a second time"]]],
    ["metadata that is a list", { metadata: [] }, [["metadata", "must be an object"]]],
    ["metadata without an end", { metadata: { x: "y".repeat(70_000) } }, [["metadata", "larger than"]]],
    ["an unknown key", { titel: "x" }, [["titel", 'did you mean "title"?']]],
    ["a completion that is a text", { completion: "done" }, [["completion", "must be an object"]]],
  ])("names what is wrong: %s", (_what, changes, expected) => check(changes, expected));

  it("refuses a completion that lacks its outcome or criteria, or cannot be verified, naming each path (S2-03, S2-50)", () => {
    check({ completion: {} }, [
      ["completion.outcome", "is required"],
      ["completion.acceptance_criteria", "at least one"],
    ]);
    const role = (method: string, config: unknown) => ({
      completion: {
        outcome: "x",
        acceptance_criteria: ["y"],
        qa: { promise: "Q", verification_method: method, verification_config: config },
      },
    });
    check(role("externl", {}), [["completion.qa.verification_method", 'did you mean "external"?']]);
    check(role("external", {}), [["completion.qa.verification_config.command", "is required"]]);
    check(role("multi_stage", {}), [["completion.qa.verification_config.stages", "at least one stage"]]);
    check(role("multi_stage", { stages: [{ name: "x", method: "external" }] }), [
      ["completion.qa.verification_config.stages[0].config.command", "is required"],
    ]);
    check(role("external", { command: "x", timeout: -1 }), [["completion.qa.verification_config.timeout", "not -1"]]);
  });

  it("reads a whole task of another program under its names, and believes nothing of how far it is there (S2-05, S2-51)", () => {
    const { spec, completion, ...rest } = whole;
    const foreign = { status: "done", iteration: 4, created_at: "2026-01-01T00:00:00", updated_at: null };
    const document = { ...rest, spec_id: spec, completion_spec: completion, assignee: "", ...foreign, points: [1, 2] };
    const read = readTask(document);
    expect(read).toMatchObject({ task: { spec, assignee: null, other: { ...foreign, points: [1, 2] } } });
    const own = readTask(whole);
    expect("task" in read && "task" in own && read.task.completion).toEqual("task" in own && own.task.completion);
    expect("task" in read && writeTask(read.task)).toMatchObject({ spec, completion, ...foreign, points: [1, 2] });
  });

  it.each<[string, Record<string, unknown>, [string, string][]]>([
    ["two names of one field", { spec_id: "x" }, [["spec_id", "another name of spec"]]],
    [
      "two definitions of done",
      { completion_spec: whole.completion },
      [["completion_spec", "another name of completion"]],
    ],
  ])("refuses %s (S2-50)", (_what, changes, expected) => check(changes, expected));

  it("refuses other fields without an end", () =>
    check({ notes: "y".repeat(70_000) }, [["notes", "larger than 65536"]]));

  it("refuses what is no object at all", () => {
    expect(readTask("x")).toEqual({ problems: [{ path: "", message: 'must be an object, not "x"' }] });
  });
});
