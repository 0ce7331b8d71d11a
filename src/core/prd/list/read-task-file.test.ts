import { describe, expect, it } from "vitest";
import { approved, story, taskFile, taskFileText } from "../../../../tests/prd/sample-task-file.ts";
import { isListComplete } from "../choose-role.ts";
import { readTaskFile } from "./read-task-file.ts";
import { formatTaskFile } from "./task-file.ts";

const without = (field: string) => {
  const { [field]: _, ...rest } = story("US-001");
  return taskFileText([rest]);
};
const topWithout = (field: string) => {
  const { [field]: _, ...rest } = JSON.parse(taskFileText([story("US-001")])) as Record<string, unknown>;
  return JSON.stringify(rest);
};
const withField = (field: string, value: unknown) => taskFileText([story("US-001", { [field]: value })]);

function check(text: string, problem: string): void {
  const { problems } = readTaskFile(text);
  expect(problems).toHaveLength(1);
  expect(problems?.[0]).toContain(problem);
}

describe("a task file is refused, field and story named (S4-40, S4-41, S4-42, S4-43, S4-45, R-100)", () => {
  it.each([
    ["an empty text", "", "tasks.json is empty"],
    ["half of a file", taskFileText([story("US-001")]).slice(0, 80), "tasks.json is not JSON"],
    ["a list", "[]", "tasks.json must be an object, found []"],
    ["null", "null", "tasks.json must be an object, found null"],
    ["no project", topWithout("project"), "tasks.json: project must be a text, found nothing"],
    ["no branch", topWithout("branchName"), "tasks.json: branchName must be a text"],
    ["no description", topWithout("description"), "tasks.json: description must be a text"],
    ["no stories", topWithout("userStories"), "tasks.json: userStories must be a list, found nothing"],
    ["an object of stories", taskFileText([], { userStories: {} }), "userStories must be a list, found {}"],
    ["commands as a text", taskFileText([], { verifyCommands: "npm test" }), "verifyCommands must be a list of texts"],
    ["a story that is a text", taskFileText([], { userStories: ["x"] }), "userStories[0] must be an object"],
    ["no id", without("id"), "Story at userStories[0]: id must be a text of 1 to 100 characters, found nothing"],
    ["a blank id", withField("id", " "), "Story at userStories[0]: id must be a text of 1 to 100 characters"],
    ["a flood of an id", withField("id", "x".repeat(101)), "id must be a text of 1 to 100 characters"],
    [
      "a number as id",
      withField("id", 1),
      "Story at userStories[0]: id must be a text of 1 to 100 characters, found 1",
    ],
    ["no title", without("title"), "Story US-001: title must be a text, found nothing"],
    ["passes as a text", withField("passes", "true"), 'Story US-001: passes must be true or false, found "true"'],
    ["passes as a number", withField("passes", 1), "Story US-001: passes must be true or false, found 1"],
    ["priority as a text", withField("priority", "1"), 'Story US-001: priority must be a number, found "1"'],
    ["no criteria", withField("acceptanceCriteria", []), "Story US-001: acceptanceCriteria must be a non-empty list"],
    ["criteria of numbers", withField("acceptanceCriteria", [1]), "acceptanceCriteria must be a non-empty list"],
    ["no review status", without("reviewStatus"), "Story US-001: reviewStatus must be null,"],
    ["a made-up status", withField("reviewStatus", "done"), 'Story US-001: reviewStatus must be null, "needs_review"'],
    [
      "no count",
      without("reviewCount"),
      "Story US-001: reviewCount must be a whole number of at least 0, found nothing",
    ],
    ["a negative count (S4-49)", withField("reviewCount", -1), "reviewCount must be a whole number of at least 0"],
    ["half a count", withField("reviewCount", 0.5), "Story US-001: reviewCount must be a whole number"],
    [
      "true as a count (R-101)",
      withField("reviewCount", true),
      "reviewCount must be a whole number of at least 0, found true",
    ],
    ["a text as a count (R-101)", withField("reviewCount", "1"), 'at least 0, found "1"'],
    ["no feedback", without("reviewFeedback"), "Story US-001: reviewFeedback must be a text, found nothing"],
    ["notes as a list", withField("notes", []), "Story US-001: notes must be a text, found []"],
    ["dependencies as a text", withField("dependsOn", "US-002"), "Story US-001: dependsOn must be a list of story ids"],
    ["a split from a number", withField("splitFrom", 3), "Story US-001: splitFrom must be the id"],
    [
      "one id twice",
      taskFileText([story("US-001"), story("US-002"), story("US-001")]),
      "Story US-001: id is used more than once",
    ],
    [
      "a flood of stories",
      taskFileText(Array.from({ length: 1001 }, (_, at) => story(`US-${at}`))),
      "userStories has 1001 entries, at most 1000",
    ],
    ["a flood of text", `{"project": "${"x".repeat(3_000_000)}"}`, "characters, at most 2097152 are read"],
  ])("%s", (_, text, problem) => check(text, problem));

  it("names everything at once, up to fifty problems", () => {
    const stories = Array.from({ length: 40 }, (_, at) => story(`US-${at}`, { title: 1, passes: 1 }));
    expect(readTaskFile(taskFileText(stories)).problems).toHaveLength(50);
  });
});

describe("a task file is read", () => {
  it("with missing notes, dependencies, description and commands as empty (S4-42)", () => {
    const { notes: _notes, dependsOn: _depends, description: _description, ...rest } = story("US-001");
    const [task] = taskFile([rest], { verifyCommands: undefined }).tasks;
    expect(task).toMatchObject({ notes: "", dependsOn: [], description: "", splitFrom: null });
  });

  it("with a byte order mark", () =>
    expect(readTaskFile(`\uFEFF${taskFileText([story("US-001")])}`).file?.tasks).toHaveLength(1));

  it("and written back with unknown fields, their order and the indentation as they were (CW-4C)", () => {
    const text = `${JSON.stringify({ zeta: [1], ...(JSON.parse(taskFileText([{ owner: "ada", ...story("US-001") }])) as object), alpha: { deep: null } }, null, 4)}\n`;
    const { file } = readTaskFile(text);
    expect(file === undefined ? "" : formatTaskFile(file, text)).toBe(text);
  });

  it("is never complete when it is empty, missing or broken (CW-4A, R-100)", () => {
    expect(isListComplete(taskFile([]), { isReviewSkipped: false })).toBe(false);
    expect(isListComplete(taskFile([]), { isReviewSkipped: true })).toBe(false);
    expect(readTaskFile("").file).toBeUndefined();
    expect(isListComplete(taskFile([story("US-001", approved)]), { isReviewSkipped: false })).toBe(true);
  });
});
