import { describe, expect, it } from "vitest";
import { story, taskFileText } from "../../../../tests/prd/sample-task-file.ts";
import { isScaffoldPrd, isScaffoldTaskFile } from "./scaffold.ts";

describe("a template nobody has filled in", () => {
  it.each<[string, string, boolean]>([
    ["the template's story", taskFileText([story("US-001", { acceptanceCriteria: [] })]), true],
    ["a story with a criterion", taskFileText([story("US-001")]), false],
    ["two stories", taskFileText([story("A", { acceptanceCriteria: [] }), story("B")]), false],
    ["no JSON", "{", false],
    ["another JSON", "[]", false],
  ])("is told by %s (S4-22)", (_, text, expected) => expect(isScaffoldTaskFile(text)).toBe(expected));

  it.each<[string, string, boolean]>([
    ["nothing", " \n", true],
    ["headings and comments", "# PRD: shop\n\n<!-- why\nand how -->\n## 1. Summary <!-- S M L -->\n\n---\n- \n", true],
    ["a table without a row", "# PRD\n| Risk | Impact |\n| :--- | ----- |\n|      |       |\n", true],
    ["a table with a row", "# PRD\n| Risk | Impact |\n| ---- | ------ |\n| Lost data | high |\n", false],
    ["a sentence", "# PRD\n\n## 1. Summary\n\nA shop.\n", false],
    ["a list", "# PRD\n- sell things\n", false],
  ])("is told by a PRD with %s (S4-82, S4-86)", (_, text, expected) => expect(isScaffoldPrd(text)).toBe(expected));
});
