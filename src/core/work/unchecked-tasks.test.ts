import { expect, it } from "vitest";
import type { Gate } from "../contract/gate.ts";
import { parseSettings } from "../settings/parse-settings.ts";
import { uncheckedTasks } from "./unchecked-tasks.ts";

const task = {
  spec: "",
  title: "Title",
  description: "",
  priority: 1,
  dependencies: [],
  assignee: null,
  metadata: {},
  version: 1,
  iteration: 0,
};
const onWord = { promise: "DONE", description: "", maxIterations: null };
const believed = { ...onWord, verification: { method: "string_match" as const, promise: null, isLoose: false } };
const checked = {
  ...onWord,
  verification: { method: "semantic" as const, checkFor: [], negativePatterns: [], model: null },
};
const gate: Gate = {
  id: "g",
  kind: "toy",
  name: "make",
  when: "every-turn",
  isBeforeDelivery: true,
  isAlways: false,
  origin: "test",
  limits: { wallMs: null },
  tells: "reason",
};

it("are those whose roles all rest on a promise, where the merged tip has no check: requireChecks asks it of each task", () => {
  const spec = (criteria: object) => ({ outcome: "", acceptanceCriteria: [], criteria });
  const tasks = [
    { ...task, id: "word", completion: spec({ coder: believed, qa: believed }) },
    { ...task, id: "half", completion: spec({ coder: believed, qa: checked }) },
  ];
  const settings = parseSettings([]);
  const work = { tasks, roles: ["coder" as const, "qa" as const], rounds: 1, jobs: 1, worktrees: null };
  expect(uncheckedTasks({ settings, work }, [])).toEqual(["word"]);
  expect(uncheckedTasks({ settings, work: { ...work, roles: ["coder"] } }, [])).toEqual(["word", "half"]);
  expect(uncheckedTasks({ settings, work }, [gate])).toEqual([]);
  expect(uncheckedTasks({ settings, work }, [{ ...gate, isClaimOnly: true }])).toEqual(["word"]);
});
