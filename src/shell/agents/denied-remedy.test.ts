import { expect, it } from "vitest";
import { claudeAdapter } from "./claude/claude-adapter.ts";
import { deniedRemedy } from "./denied-remedy.ts";

const edits = "--permission-mode acceptEdits";
const all = "--dangerously-skip-permissions";

it.each([
  [["Write"], [], edits],
  [[], [], edits],
  [["Write"], ["--model", "opus"], edits],
  [["Write", "Bash"], [], all],
  [["Write"], ["--permission-mode", "acceptEdits"], all],
])("after %j was denied with the flags %j, claude needs %s (CB-12)", (denied, flags, remedy) =>
  expect(deniedRemedy(claudeAdapter, flags, denied)).toBe(remedy),
);

it("an agent with one flag for both needs that one (CB-12)", () =>
  expect(deniedRemedy({ editFlags: "--yolo" }, [], ["shell"])).toBe("--yolo"));
