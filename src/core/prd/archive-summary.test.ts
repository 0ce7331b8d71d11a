import { expect, it } from "vitest";
import { approved, story, taskFile } from "../../../tests/prd/sample-task-file.ts";
import { archiveName, archiveSummary } from "./archive-summary.ts";

const facts = { label: "login", progress: "# Log\nStarted: 2026-11-01\n", archivedOn: "2026-11-15" };

it("says what was done, from when to when, and how the reviews went (S4-85, S4-99)", () => {
  const file = taskFile([story("A", approved), story("B", { ...approved, reviewCount: 3 }), story("C")]);
  expect(archiveSummary({ ...facts, reading: { file } })).toBe(
    `# login

Dates: 2026-11-01 to 2026-11-15

- Project: shop
- Branch: ralph/shop
- Stories completed: 2 of 3
- Reviewed to the end: no

## Reviews

- Reviews: 4 (stories by number of reviews: 1 with 1, 1 with 3)
- Reviews found real issues: 1 of 2 stories needed three reviews or more.

## Stories

- A Title of A: approved, 1 review
- B Title of B: approved, 3 reviews
- C Title of C: open, 0 reviews
`,
  );
});

it.each([
  ["an approved one", approved, 1],
  ["one that passes and waits for its review", { ...approved, reviewStatus: "needs_review" as const }, 0],
  ["one that passes and was sent back", { ...approved, reviewStatus: "changes_requested" as const }, 0],
  ["one of a run without reviews", { ...approved, reviewStatus: null, reviewCount: 0 }, 1],
])("counts %s as done only when a review agreed, where there are reviews (S4-15, S4-85)", (_, fields, done) =>
  expect(archiveSummary({ ...facts, reading: { file: taskFile([story("A", fields)]) } })).toContain(
    `Stories completed: ${done} of 1`,
  ),
);

it("keeps what was wrong with a list that could not be read, and an unknown start", () =>
  expect(archiveSummary({ ...facts, progress: "", reading: { problems: ["tasks.json is empty"] } })).toBe(
    "# login\n\nDates: unknown to 2026-11-15\n\ntasks.json could not be read:\n\n- tasks.json is empty\n",
  ));

it.each([
  ["ralph/login", "login"],
  ["feature/log in", "feature-log-in"],
  ["../../etc", "etc"],
  ["..", "loop"],
  ["", "loop"],
  ["größe", "größe"],
  ["x".repeat(100), "x".repeat(60)],
])("names an archive after %j (CW-4J)", (label, name) => expect(archiveName(label)).toBe(name));
