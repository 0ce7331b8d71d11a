import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { transitionRows } from "../../../../tests/prd/transition-rows.ts";
import { checkChanges, checkStanding, findMissingStep } from "./task-file-rules.ts";
import { readSnapshot, snapshotOf } from "./snapshot.ts";
import type { ReviewOptions, ReviewRole, ReviewTurn } from "./task-file.ts";

const options: ReviewOptions = { isReviewSkipped: false, reviewCap: 5, atCap: "approve" };
const turnOf = (role: ReviewRole, more: Partial<ReviewTurn> = {}): ReviewTurn => ({
  ...options,
  role,
  taskId: null,
  ...more,
});

/** All violations of one file at rest, as `kind field`. */
function standing(fields: Story, more: Partial<ReviewOptions> = {}): string[] {
  return checkStanding(taskFile([story("A", fields)]), { ...options, ...more }).map(
    ({ kind, field }) => `${kind} ${field}`,
  );
}

describe("check 2: what holds at any time", () => {
  it.each<[string, Story, string[]]>([
    ["passes without a review (S4-46)", { passes: true, notes: "x" }, ["out-of-sync passes"]],
    ["passes before the review (S4-46)", { ...submitted, passes: true, notes: "x" }, ["out-of-sync passes"]],
    ["passes though sent back (S4-46)", { ...sentBack, passes: true, notes: "x" }, ["out-of-sync passes"]],
    ["approved without passes (S4-47, CW-4H)", { ...approved, passes: false }, ["out-of-sync reviewStatus"]],
    ["sent back without feedback (S4-48)", { ...sentBack, reviewFeedback: "" }, ["feedback reviewFeedback"]],
    ["sent back with blank feedback (S4-48)", { ...sentBack, reviewFeedback: " \n" }, ["feedback reviewFeedback"]],
    ["a count one above the cap (S4-49)", { ...approved, reviewCount: 6 }, []],
    ["a count two above the cap (S4-49, CW-4I)", { ...approved, reviewCount: 7 }, ["count reviewCount"]],
    ["approved and passing (S4-50)", approved, []],
    ["a new story (S4-50)", {}, []],
    ["submitted work (S4-50)", submitted, []],
    ["sent back below the cap (CW-4I)", { ...sentBack, reviewCount: 4 }, []],
    ["sent back at the cap (CW-4I)", { ...sentBack, reviewCount: 5 }, ["cap reviewStatus"]],
    ["passing without notes (S4-44)", { ...approved, notes: "" }, ["notes notes"]],
    ["passing with blank notes (S4-44)", { ...approved, notes: "  " }, ["notes notes"]],
  ])("judges %s", (_, fields, expected) => expect(standing(fields)).toEqual(expected));

  it("is skipped with the reviews, but for the notes (S4-75)", () => {
    expect(standing({ passes: true, notes: "x" }, { isReviewSkipped: true })).toEqual([]);
    expect(standing({ passes: true }, { isReviewSkipped: true })).toEqual(["notes notes"]);
  });

  it("lets a story sent back at the cap stand where it is held for a person (CW-4I)", () =>
    expect(standing({ ...sentBack, reviewCount: 5 }, { atCap: "hold" })).toEqual([]));
});

/** `kind id.field`, for each violation of a turn. */
function changes(before: Story[], after: Story[], turn: ReviewTurn): string[] {
  return checkChanges(taskFile(before), taskFile(after), turn).map(
    ({ kind, taskId, field }) => `${kind} ${taskId ?? "file"}.${field}`,
  );
}

const a = (fields: Story = {}) => story("A", fields);
const b = (fields: Story = {}) => story("B", fields);
const approvedNow = { passes: true, reviewStatus: "approved", reviewCount: 1, notes: "ok" };

describe("check 2.5: what a turn may change (S4-51, R-101)", () => {
  for (const [title, role, before, after, expected] of transitionRows)
    it(`in ${role}, ${expected.length === 0 ? "allows" : "blocks"} ${title}`, () =>
      expect(changes(before, after, turnOf(role))).toEqual(expected));

  it("keeps the step on the story the turn was about (S4-52)", () =>
    expect(changes([a(), b()], [a(submitted), b(submitted)], turnOf("implement", { taskId: "B" }))).toEqual([
      "second-task A.reviewStatus",
    ]));

  it("freezes verifyCommands in every mode (CW-4E)", () => {
    const [before, after] = [taskFile([a()]), taskFile([a()], { verifyCommands: ["true"] })];
    for (const turn of [turnOf("implement"), turnOf("review"), turnOf("implement", { isReviewSkipped: true })])
      expect(checkChanges(before, after, turn)).toMatchObject([
        { kind: "frozen", taskId: null, field: "verifyCommands" },
      ]);
  });
});

describe("skipped reviews (S4-21, S4-51, S4-75)", () => {
  const skipping = turnOf("implement", { isReviewSkipped: true });
  it.each<[string, Story[], Story[], string[]]>([
    ["passes set directly", [a()], [a({ passes: true, notes: "x" })], []],
    ["a leftover that passes (R-109)", [a(submitted)], [a({ passes: true, notes: "x" })], []],
    [
      "a part that is done with another still open",
      [a()],
      [story("A1", { splitFrom: "A", passes: true, notes: "x" }), story("A2", { splitFrom: "A" })],
      [],
    ],
    ["a leftover that was split", [a(submitted)], [b({ splitFrom: "A" })], []],
    ["a deletion", [a(), b()], [a()], ["deleted-task B.id"]],
    ["other criteria", [a()], [a({ acceptanceCriteria: ["x"] })], ["frozen A.acceptanceCriteria"]],
  ])("judge %s", (_, before, after, expected) => expect(changes(before, after, skipping)).toEqual(expected));
});

describe("a turn without a step blocks once (CW-4D)", () => {
  const missing = (role: ReviewRole, before: Story[], after: Story[], more: Partial<ReviewTurn> = {}) =>
    findMissingStep(taskFile(before), taskFile(after), turnOf(role, more));

  it("in review and in review-fix, naming the story (S4-55, S4-58)", () => {
    expect(missing("review", [a(), b(submitted)], [a(), b(submitted)])).toMatchObject({ kind: "no-step", taskId: "B" });
    expect(missing("review-fix", [a(sentBack)], [a(sentBack)])).toMatchObject({ kind: "no-step", taskId: "A" });
    expect(missing("review", [a(submitted), b(submitted)], [a(submitted), b(submitted)], { taskId: "B" })?.taskId).toBe(
      "B",
    );
  });

  it("but not in implement, after a step, after an illegal change or without reviews", () => {
    expect(missing("implement", [a()], [a()])).toBeNull();
    expect(missing("review", [a(submitted)], [a(sentBack)])).toBeNull();
    expect(missing("review", [a(submitted)], [a({ ...submitted, passes: true })])).toBeNull();
    expect(missing("review", [a(submitted)], [a(submitted)], { isReviewSkipped: true })).toBeNull();
    expect(missing("review", [a()], [a()])).toBeNull();
  });
});

describe("a snapshot of the review fields is enough for check 2.5 (S4-14, S4-61)", () => {
  const known = (stories: Story[]) => readSnapshot(snapshotOf(taskFile(stories))) ?? { tasks: [] };

  it("to find approvals, deletions and stories born approved", () => {
    const after = taskFile([story("A", approvedNow), story("C", approved)]);
    const kinds = checkChanges(known([a(), b()]), after, turnOf("implement")).map(({ kind }) => kind);
    expect(kinds).toEqual(["transition", "new-task", "deleted-task"]);
  });

  it("and an empty one knows that every story is new (CW-4C)", () =>
    expect(checkChanges(known([]), taskFile([a(approved)]), turnOf("implement"))).toMatchObject([
      { kind: "new-task" },
    ]));

  it("while feedback, criteria and commands are not judged by it", () => {
    const after = taskFile([a({ reviewFeedback: "x", acceptanceCriteria: ["x"] })], { verifyCommands: [] });
    expect(checkChanges(known([a()]), after, turnOf("implement"))).toEqual([]);
  });
});
