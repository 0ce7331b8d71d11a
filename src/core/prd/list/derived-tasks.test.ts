import { describe, expect, it } from "vitest";
import { approved, story, type Story, taskFileText } from "../../../../tests/prd/sample-task-file.ts";
import { readDerivedTasks } from "./derived-tasks.ts";

const text = taskFileText([story("US-001"), story("US-002", { dependsOn: ["US-001"] })]);

describe("a derived list (S4-86, S4-87)", () => {
  it.each([
    ["alone", text],
    ["in a fence", `Here it is:\n\n\`\`\`json\n${text}\n\`\`\`\nGood luck!`],
    ["between sentences", `I looked at everything.\n${text}\nDone.`],
  ])("is found %s", (_, answer) => expect(readDerivedTasks(answer).file?.tasks).toHaveLength(2));

  it.each<[string, Story[], string]>([
    ["without stories", [], "userStories is empty"],
    ["with work that is done already", [story("A", approved)], "Story A is new and must start with passes=false"],
    ["with a circle", [story("A", { dependsOn: ["B"] }), story("B", { dependsOn: ["A"] })], "A → B → A"],
    ["with an unknown dependency", [story("A", { dependsOn: ["X"] })], "Story A depends on X"],
    ["without criteria", [story("A", { acceptanceCriteria: [] })], "acceptanceCriteria must be a non-empty list"],
    ["without a title", [story("A", { title: " " })], "Story A: title is empty"],
  ])("is refused %s", (_, stories, problem) =>
    expect(readDerivedTasks(taskFileText(stories)).problems?.join()).toContain(problem),
  );

  it.each(["", "I cannot do that.", "} no {", "```json\n{\n```"])("is not found in %j", (answer) =>
    expect(readDerivedTasks(answer).file).toBeUndefined(),
  );
});
