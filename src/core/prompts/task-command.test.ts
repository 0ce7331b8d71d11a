import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseTasks } from "../../shell/tasks/task-files.ts";
import { verificationMethods } from "../tasks/criteria/completion-spec.ts";
import { roles } from "../tasks/criteria/role.ts";
import { planImport } from "../tasks/plan-import.ts";
import { yamlOf } from "./generate-tasks.ts";
import { tasksCommandText } from "./task-command.ts";

const root = join(import.meta.dirname, "..", "..", "..");

it("/ralph-tasks has the same words in every host (S2-56)", () => {
  const file = readFileSync(join(root, "plugins", "claude-code", "skills", "ralph-tasks", "SKILL.md"), "utf8");
  expect(file.split(/^---$/m).slice(2).join("---").trim()).toBe(tasksCommandText);
});

it("/ralph-tasks names what a task must and may have, and its example can be imported (S2-50, S2-56)", () => {
  const fields = ["outcome", "acceptance_criteria", "promise", "verification_method", "verification_config"];
  const commands = ["ralph task import --dry-run", "ralph task list", "ralph work", "$ARGUMENTS"];
  const methods = verificationMethods.filter((method) => method !== "custom");
  const words = [...fields, ...commands, ...methods, ...roles];
  expect(words.filter((word) => !tasksCommandText.includes(word))).toEqual([]);
  const source = parseTasks(yamlOf(tasksCommandText), "example.yaml");
  expect(planImport([source], { stored: [], isReplacing: false, at: 1 })).toMatchObject({
    added: ["basket-001"],
    warnings: [],
  });
});
