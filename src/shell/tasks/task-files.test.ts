import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generationPrompt, yamlOf } from "../../core/prompts/generate-tasks.ts";
import { planImport } from "../../core/tasks/plan-import.ts";
import { readTask } from "../../core/tasks/read-task.ts";
import { roles } from "../../core/tasks/criteria/role.ts";
import { writeTask } from "../../core/tasks/write-task.ts";
import { formatTasks, parseTasks } from "./task-files.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

const jwt = readFileSync(join(import.meta.dirname, "../../../tests/fixtures/tasks/jwt.yaml"), "utf8");

describe("task files", () => {
  it("load the complete JWT example with all roles and methods (S2-51)", () => {
    const plan = planImport([parseTasks(jwt, "jwt.yaml")], { stored: [], isReplacing: false, at: 1 });
    if ("problems" in plan) throw new Error(JSON.stringify(plan.problems));
    expect(plan).toMatchObject({ added: ["auth-001", "auth-002"], warnings: [] });
    const criteria = plan.writes[0]?.task.completion?.criteria ?? {};
    expect(roles.map((role) => criteria[role]?.verification.method)).toEqual([
      "external",
      "semantic",
      "external",
      "multi_stage",
    ]);
  });

  it("load the example in the prompt for tasks as it stands (S2-56)", () => {
    const prompt = generationPrompt({ specification: "Build a shop.", existingIds: [] });
    const plan = planImport([parseTasks(yamlOf(prompt), "prompt")], { stored: [], isReplacing: false, at: 1 });
    expect(plan).toMatchObject({ added: ["short-id-001"], warnings: [] });
  });

  it.each([
    ["x.yaml", "id: a\n  title: b: c\n", "x.yaml:1: this is not YAML"],
    ["x.yaml", "id: a\nid: b\n", "x.yaml:2: this is not YAML"],
    ["x.json", '{\n  "id": "a",\n}', "x.json:2: this is not JSON"],
    ["x.yaml", bomb(), "Excessive alias count"],
    ["x.yaml", "id: a\nmetadata: &m {x: *m}\n", "circular"],
    ["x.yaml", "[".repeat(200_000), "x.yaml"],
    ["x.yaml", `{"id": "a", "metadata": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "x.yaml"],
    ["x.yaml", "a".repeat(9_000_000), "more than 8388608 characters"],
  ])("name file and line of what cannot be read: %s", (name, text, words) => {
    expect(() => parseTasks(text, name)).toThrow(words);
  });

  it("may hold several documents, anchors and a byte order mark", () => {
    const text = "\uFEFFid: a\nmetadata: &shared {x: 1}\ncopy: *shared\n---\nid: b\n";
    expect(parseTasks(text, "x.yml").documents).toEqual([{ id: "a", metadata: { x: 1 }, copy: { x: 1 } }, { id: "b" }]);
  });

  it("round-trip: what is exported reads as the same definitions, in YAML and JSON (S2-02, S2-03, S2-51)", () => {
    fc.assert(
      fc.property(
        fc.array(taskDocuments, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("yaml" as const, "json" as const),
        (given, format) => {
          const tasks = given.map(taskOf);
          const { documents } = parseTasks(formatTasks(tasks.map(writeTask), format), `x.${format}`);
          const [document] = documents as [{ tasks?: unknown[] }];
          expect((document.tasks ?? [document]).map(taskOf)).toEqual(tasks);
        },
      ),
    );
  });
});

function taskOf(document: unknown) {
  const read = readTask(document);
  if (!("task" in read)) throw new Error(JSON.stringify(read.problems));
  return read.task;
}

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]`);
  return ["a0: &a0 [x]", ...levels].join("\n");
}

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((each) => each.trim() !== "");
const promise = fc.stringMatching(/^[A-Z_]{3,12}$/).filter((each) => !/^(BLOCKED|DECIDE|REJECT)$/.test(each));
const externals = fc.record(
  {
    command: words,
    success_exit_code: fc.integer({ min: 0, max: 255 }),
    output_contains: words,
    timeout: fc.integer({ min: 1, max: 1000 }),
  },
  { requiredKeys: ["command"] },
);
const semantics = fc.record({ check_for: fc.array(words, { minLength: 1, maxLength: 3 }) });
const verifications = fc.oneof(
  externals.map((config) => ({ verification_method: "external", verification_config: config })),
  semantics.map((config) => ({ verification_method: "semantic", verification_config: config })),
  fc.tuple(externals, semantics).map(([external, semantic]) => ({
    verification_method: "multi_stage",
    verification_config: {
      stages: [
        { name: "one", method: "external", config: external },
        { name: "two", method: "semantic", required: false, config: semantic },
      ],
    },
  })),
);
const criteria = fc
  .tuple(promise, words, verifications, fc.option(fc.integer({ min: 1, max: 50 })))
  .map(([given, description, verification, max_iterations]) => ({
    promise: given,
    description,
    ...verification,
    max_iterations,
  }));
const taskDocuments = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9]{1,10}$/),
    title: words,
    description: fc.string({ unit: "grapheme" }).filter((each) => each === "" || each.trim() !== ""),
    priority: fc.integer({ min: 1, max: 1000 }),
    dependencies: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 }),
    assignee: fc.option(words),
    metadata: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })),
    ),
    completion: fc.record(
      {
        outcome: words,
        acceptance_criteria: fc.array(words, { minLength: 1, maxLength: 4 }),
        coder: criteria,
        reviewer: criteria,
        tester: criteria,
        qa: criteria,
      },
      { requiredKeys: ["outcome", "acceptance_criteria"] },
    ),
  },
  { requiredKeys: ["id", "title"] },
);
