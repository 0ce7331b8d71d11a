import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approved, sentBack, story, type Story, submitted, taskFile } from "../../../../tests/prd/sample-task-file.ts";
import { judgeTransition } from "./judge-transition.ts";
import { readTaskFile } from "./read-task-file.ts";
import { repairTaskFile } from "./repair-task-file.ts";
import { checkChanges, checkStanding } from "./task-file-rules.ts";
import { capPrefix, formatTaskFile, type ReviewRole, type ReviewTurn, type TaskFile } from "./task-file.ts";
import { propertySeed } from "../../../../tests/property-seed.ts";

const turnOf = (role: ReviewRole, more: Partial<ReviewTurn> = {}): ReviewTurn => ({
  isReviewSkipped: false,
  reviewCap: 3,
  atCap: "approve",
  role,
  taskId: null,
  ...more,
});
const a = (fields: Story = {}) => story("A", fields);
const b = (fields: Story = {}) => story("B", fields);

/** The stories after the repair, and how many rules were broken. */
function check(given: { turn: ReviewTurn; before: Story[]; after: Story[] }, expected: Story[], count: number): void {
  const { file, violations } = repairTaskFile(taskFile(given.before), taskFile(given.after), given.turn);
  expect(file).toEqual(taskFile(expected));
  expect(violations).toHaveLength(count);
}

describe("an illegal edit is undone and the rest of the work kept (CW-4C)", () => {
  it("restores the review fields, not the words", () =>
    check(
      { turn: turnOf("implement"), before: [a(), b()], after: [a({ ...approved, title: "T" }), b({ notes: "n" })] },
      [a({ title: "T", notes: "done" }), b({ notes: "n" })],
      1,
    ));

  it("puts a deleted story back in its place (CW-4E)", () =>
    check(
      { turn: turnOf("implement"), before: [a(), b(), story("C")], after: [a(), story("C"), story("D")] },
      [a(), b(), story("C"), story("D")],
      1,
    ));

  it("puts every story back when all were deleted (CW-4E)", () =>
    check({ turn: turnOf("review"), before: [a(approved), b()], after: [] }, [a(approved), b()], 2));

  it("lets a new story begin at the beginning (CW-4E)", () =>
    check({ turn: turnOf("review-fix"), before: [a()], after: [a(), b(approved)] }, [a(), b({ notes: "done" })], 1));

  it("keeps one of two submissions, that of the turn's story (S4-52)", () =>
    check(
      { turn: turnOf("implement", { taskId: "B" }), before: [a(), b()], after: [a(submitted), b(submitted)] },
      [a(), b(submitted)],
      1,
    ));

  it("keeps the submitted part of the turn's story, and one part only (S4-52, CW-4E)", () => {
    const [one, two] = [story("A1", { splitFrom: "A" }), story("A2", { splitFrom: "A" })];
    const turn = turnOf("implement", { taskId: "A" });
    check({ turn, before: [a()], after: [{ ...one, ...submitted }, two] }, [{ ...one, ...submitted }, two], 0);
    check(
      { turn, before: [a(), b()], after: [b(submitted), { ...one, ...submitted }, { ...two, ...submitted }] },
      [b(), { ...one, ...submitted }, two],
      2,
    );
  });

  it("keeps the legal one of two changes, whichever came first (S4-56)", () =>
    check(
      {
        turn: turnOf("review"),
        before: [a(submitted), b(submitted)],
        after: [a({ ...approved, reviewCount: 2 }), b(sentBack)],
      },
      [a({ ...submitted, notes: "done" }), b(sentBack)],
      1,
    ));

  it("writes the prefix an approval at the cap forgot (S4-69)", () =>
    check(
      {
        turn: turnOf("review"),
        before: [a({ ...submitted, reviewCount: 2 })],
        after: [a({ ...approved, reviewCount: 3, reviewFeedback: "slow" })],
      },
      [a({ ...approved, reviewCount: 3, reviewFeedback: `${capPrefix} slow` })],
      1,
    ));

  it("leaves a refusal at the cap to be settled (CW-4I, R-103)", () => {
    const after = [a({ ...sentBack, reviewCount: 3 })];
    check({ turn: turnOf("review"), before: [a({ ...submitted, reviewCount: 2 })], after }, after, 0);
  });

  it("restores criteria and notes of what passes (S4-44)", () =>
    check(
      {
        turn: turnOf("implement"),
        before: [a(approved)],
        after: [a({ ...approved, notes: "", acceptanceCriteria: ["x"] })],
      },
      [a(approved)],
      2,
    ));

  it("takes back what passes without notes, also when reviews are skipped (S4-44, S4-75)", () => {
    const turn = turnOf("implement", { isReviewSkipped: true });
    check(
      { turn, before: [a(), b()], after: [a({ passes: true }), b({ passes: true, notes: "x" })] },
      [a(), b({ passes: true, notes: "x" })],
      1,
    );
    check({ turn, before: [a()], after: [a(), b({ passes: true })] }, [a(), b()], 1);
    check({ turn, before: [a(), b()], after: [b()] }, [a(), b()], 1);
  });

  it("restores the commands, also where there were none", () => {
    const before = taskFile([a()]);
    const { file } = repairTaskFile(before, taskFile([a()], { verifyCommands: ["true"] }), turnOf("implement"));
    expect(file).toEqual(before);
    const { verifyCommands: _, ...bare } = before.raw;
    const none = { ...before, verifyCommands: [], raw: bare };
    expect(repairTaskFile(none, before, turnOf("implement")).file.raw).toEqual(bare);
  });

  it("drops what was added when a list would grow over its limit", () => {
    const many = Array.from({ length: 999 }, (_, at) => story(`N-${at}`));
    check(
      { turn: turnOf("implement"), before: [a(), b()], after: [b({ notes: "n" }), ...many] },
      [a(), b({ notes: "n" })],
      1,
    );
  });

  it("keeps fields it does not know, in their order (CW-4C)", () => {
    const after = taskFile([{ zeta: 1, ...story("A", { passes: true }), alpha: { deep: [null] } }], { owner: "ada" });
    const text = formatTaskFile(repairTaskFile(taskFile([a()]), after, turnOf("implement")).file);
    expect(text).toBe(formatTaskFile(after).replace('"passes": true', '"passes": false'));
  });
});

describe("judging one story", () => {
  it("tells a step from nothing and from a violation (S4-51)", () => {
    const [before] = taskFile([a()]).tasks;
    const kinds = [a(), a(submitted), a(approved)].map((after) => {
      const [task] = taskFile([after]).tasks;
      return before === undefined || task === undefined
        ? null
        : judgeTransition(before, task, turnOf("implement")).kind;
    });
    expect(kinds).toEqual(["unchanged", "step", "illegal"]);
  });
});

/** Legal stories of every kind, with a cap of three. */
const legalState = fc.constantFrom<Story>(
  {},
  submitted,
  { ...submitted, reviewCount: 1 },
  { ...submitted, reviewCount: 2 },
  { ...submitted, reviewCount: 3 },
  sentBack,
  { ...sentBack, reviewCount: 2 },
  approved,
  { ...approved, reviewCount: 3, reviewFeedback: `${capPrefix} slow` },
);
const anyState = fc.record(
  {
    passes: fc.boolean(),
    reviewStatus: fc.constantFrom(null, "needs_review", "changes_requested", "approved"),
    reviewCount: fc.integer({ min: 0, max: 6 }),
    reviewFeedback: fc.constantFrom("", "name it", `${capPrefix} slow`),
    notes: fc.constantFrom("", "done"),
    acceptanceCriteria: fc.constantFrom(["A works"], ["easy"]),
    splitFrom: fc.constantFrom("A", "B", "C"),
    title: fc.string(),
  },
  { requiredKeys: [] },
);
const ids = ["A", "B", "C", "D", "E", "F"];
const anyBefore = fc.array(legalState, { minLength: 1, maxLength: 4 });
/** What an agent does to the file: for each of six ids another state, or nothing, or its end; and an order. */
const anyEdit = fc.record({
  edits: fc.tuple(...ids.map(() => fc.oneof(fc.constant(null), fc.constant("gone" as const), anyState, legalState))),
  order: fc.shuffledSubarray(ids, { minLength: ids.length }),
  commands: fc.constantFrom(["npm test"], ["npm test"], []),
});
const anyTurn = fc.record({
  role: fc.constantFrom<ReviewRole>("implement", "review", "review-fix"),
  isReviewSkipped: fc.boolean(),
  reviewCap: fc.constant(3),
  atCap: fc.constantFrom("approve" as const, "hold" as const),
  taskId: fc.constantFrom(null, "A", "B"),
});
const anyCase = fc.record({ before: anyBefore, edit: anyEdit, turn: anyTurn }).map(({ before, edit, turn }) => {
  const former = before.map((state, at) => story(ids[at] ?? "", { ...state, acceptanceCriteria: ["A works"] }));
  const after = edit.order.flatMap((id) => {
    const at = ids.indexOf(id);
    const own = former[at];
    const change = edit.edits[at] ?? null;
    if (change === "gone" || (own === undefined && change === null)) return [];
    return [{ ...(own ?? story(id)), ...change }];
  });
  return { before: taskFile(former), after: taskFile(after, { verifyCommands: edit.commands }), turn };
});
const seed = propertySeed;

/** Holds for two thousand random turns; a failure prints its seed and the smallest case. */
function always(holds: (given: { before: TaskFile; after: TaskFile; turn: ReviewTurn }) => void): void {
  fc.assert(fc.property(anyCase, holds), { numRuns: 2000, seed });
}

describe("for any file and any edit, a repair", () => {
  it("ends legal, and can be read back (CW-4C, R-101)", () =>
    always(({ before, after, turn }) => {
      const { file } = repairTaskFile(before, after, turn);
      const held = { ...turn, atCap: "hold" as const };
      expect([...checkStanding(file, held), ...checkChanges(before, file, held)]).toEqual([]);
      expect(readTaskFile(formatTaskFile(file)).file).toEqual(file);
    }));

  it("changes nothing when it is repeated", () =>
    always(({ before, after, turn }) => {
      const { file } = repairTaskFile(before, after, turn);
      expect(repairTaskFile(before, file, turn)).toEqual({ file, violations: [] });
    }));

  it("never changes a legal edit, and says so when it changes one", () =>
    always(({ before, after, turn }) => {
      const { file, violations } = repairTaskFile(before, after, turn);
      expect(violations.length === 0).toBe(JSON.stringify(file.raw) === JSON.stringify(after.raw));
    }));

  it("never approves: what is approved was so before, or by a review of submitted work (S4-53, S4-55, S4-59)", () =>
    always(({ before, after, turn }) => {
      const { file } = repairTaskFile(before, after, { ...turn, isReviewSkipped: false });
      const wasApproved = (id: string) => before.tasks.some((task) => task.id === id && task.passes);
      const now = file.tasks.filter(
        (task) => (task.passes || task.reviewStatus === "approved") && !wasApproved(task.id),
      );
      expect(now.length).toBeLessThanOrEqual(turn.role === "review" ? 1 : 0);
      const isByReview = now.every(({ id }) =>
        after.tasks.some((task) => task.id === id && task.reviewStatus === "approved"),
      );
      expect(isByReview).toBe(true);
    }));

  it("never loses a story that was not split, and keeps every criterion (CW-4E)", () =>
    always(({ before, after, turn }) => {
      const { file } = repairTaskFile(before, after, turn);
      const isKept = before.tasks.every((task) => {
        const now = file.tasks.find(({ id }) => id === task.id);
        const parts = file.tasks.filter(({ splitFrom, passes }) => splitFrom === task.id && !passes);
        if (now === undefined) return parts.length > 0;
        return now.acceptanceCriteria.join() === task.acceptanceCriteria.join();
      });
      expect(isKept).toBe(true);
    }));
});
