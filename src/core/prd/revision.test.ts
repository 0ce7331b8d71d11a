import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { describeRevision, findRevision, removedChecks } from "./revision.ts";

type Edited = { stories?: Story[]; top?: Story; prd?: string };

const a = (fields: Story = {}) => story("A", { acceptanceCriteria: ["one", "two"], ...fields });

/** The sentences on an edit of a list with story A, and beside them those that need consent. */
function check(edited: Edited, changes: string[], removed: string[] = []): void {
  const version = ({ stories = [a()], top = {}, prd = "why" }: Edited) => ({ file: taskFile(stories, top), prd });
  const revision = findRevision(version({}), version(edited));
  expect(revision?.changes.map(({ text }) => text) ?? []).toEqual(changes);
  expect(revision === null ? [] : removedChecks(revision)).toEqual(removed);
}

describe("people's edits of a task list between turns (S4-83, CW-4C)", () => {
  it("are none when the list asks for the same", () => {
    check({}, []);
    check({ stories: [a({ acceptanceCriteria: ["two ", "one"] })], top: { verifyCommands: [" npm test"] } }, []);
  });

  it("name a changed PRD, and changes of the list itself", () => {
    check({ prd: "why not" }, ["prd.md was changed."]);
    check({ top: { branchName: "ralph/other" } }, ["branchName: ralph/shop → ralph/other."]);
  });

  it("name new stories and changed fields, also verdicts given by hand", () => {
    check({ stories: [a({ title: "T", priority: 7 }), story("B")] }, [
      "Story A: title Title of A → T.",
      "Story A: priority 1 → 7.",
      "Story B was added.",
    ]);
    check({ stories: [a({ ...approved })] }, [
      "Story A: passes false → true.",
      "Story A: reviewStatus null → approved.",
      "Story A: reviewCount 0 → 1.",
      'Story A: notes "" → done.',
    ]);
    check({ stories: [a(submitted)] }, ["Story A: reviewStatus null → needs_review."]);
    check({ stories: [a({ ...sentBack, reviewCount: 0 })] }, [
      "Story A: reviewStatus null → changes_requested.",
      'Story A: reviewFeedback "" → name it.',
    ]);
  });

  it("need no consent when they add checks", () => {
    check({ top: { verifyCommands: ["npm test", "npm run lint"] } }, ["The verify command npm run lint was added."]);
    check({ stories: [a({ acceptanceCriteria: ["one", "two", "three"] })] }, [
      "Story A: the acceptance criterion three was added.",
    ]);
  });

  it("need consent when they remove a verify command, or change one", () => {
    const gone = "The verify command npm test was removed.";
    check({ top: { verifyCommands: [] } }, [gone], [gone]);
    check(
      { top: { verifyCommands: ["npm test || true"] } },
      [gone, "The verify command npm test || true was added."],
      [gone],
    );
  });

  it("need consent when they remove an acceptance criterion, or change one", () => {
    const gone = "Story A: the acceptance criterion two was removed.";
    check({ stories: [a({ acceptanceCriteria: ["one"] })] }, [gone], [gone]);
    check(
      { stories: [a({ acceptanceCriteria: ["one", "2"], priority: 2 })] },
      [gone, "Story A: the acceptance criterion 2 was added.", "Story A: priority 1 → 2."],
      [gone],
    );
  });

  it("need consent when they remove a story with its criteria, not when they split it", () => {
    check({ stories: [story("B")] }, ["Story A was removed.", "Story B was added."], ["Story A was removed."]);
    check({ stories: [story("A1", { splitFrom: "A" })] }, ["Story A was split.", "Story A1 was added."]);
  });

  it("are bounded, with those that need consent first", () => {
    const many = Array.from({ length: 300 }, (_, at) => story(`N-${at}`));
    const revision = findRevision(
      { file: taskFile([a()]), prd: "" },
      { file: taskFile(many, { verifyCommands: [] }), prd: "" },
    );
    expect(revision).toMatchObject({ more: 202 });
    expect(revision === null ? [] : removedChecks(revision)).toHaveLength(2);
    expect(revision === null ? "" : describeRevision(revision)).toMatch(/^People edited .* And 202 more\.$/);
  });

  it("are plain JSON", () => {
    const revision = findRevision({ file: taskFile([a()]), prd: "" }, { file: taskFile([story("B")]), prd: "x" });
    expect(JSON.parse(JSON.stringify(revision))).toEqual(revision);
  });
});
