import { describe, expect, it } from "vitest";
import { story, taskFileText } from "../../../tests/prd/sample-task-file.ts";
import { checkListedTurn, checkLoosePaths, isPartOf } from "./listed-stop.ts";
import { type ActiveReading, readActiveFile } from "./read-active-file.ts";

const active = readActiveFile("{}") as ActiveReading;
const text = taskFileText([story("US-001")]);

describe("a stop in a project with an active file", () => {
  it("belongs to the run that the file names, and to every session when it names none (CW-4R)", () => {
    expect([null, "a"].map((runId) => isPartOf({ run: null }, runId))).toEqual([true, true]);
    expect([null, "a", "b"].map((runId) => isPartOf({ run: "a" }, runId))).toEqual([false, true, false]);
  });
});

describe("the task list at a stop", () => {
  it.each([
    [null, "ralph/tasks.json does not exist. Restore it from git."],
    [{ problem: "It is a link." }, "It is a link. Restore ralph/tasks.json from git."],
    [{ text: "{" }, "ralph/tasks.json is not valid:"],
  ])("blocks it when it is missing, unreadable or broken (S4-40): row %#", (list, expected) => {
    const { reason } = checkListedTurn(list, active, "ralph/tasks.json");
    expect(reason?.isOnce).toBe(false);
    expect(reason?.text).toContain(expected);
  });

  it("is not compared where nobody knows how it was before the turn, and people hear of that", () => {
    const found = checkListedTurn({ text }, active, "ralph/tasks.json");
    expect(found).toEqual({ reason: null, warnings: [expect.stringContaining("(check 2.5)") as string] });
  });
});

describe("checks 2 and 2.5 of a stop", () => {
  const born = { passes: false, reviewStatus: null, reviewCount: 0 };
  const turn = (role: string, before: object) =>
    readActiveFile(
      JSON.stringify({ iterationMode: role, preIterationSnapshot: { "US-001": before } }),
    ) as ActiveReading;
  const check2 = "Story US-001 has passes=true but reviewStatus is 'needs_review', not 'approved'.";
  const check25 = "Implement iterations cannot set passes=true or approve stories.";
  const said = (change: Partial<ReturnType<typeof story>>, reading: ActiveReading) =>
    checkListedTurn({ text: taskFileText([story("US-001", change)]) }, reading, "ralph/tasks.json");

  it("both speak when both fail, check 2 first (S4-40)", () => {
    const found = said({ passes: true, notes: "n", reviewStatus: "needs_review" }, turn("implement", born));
    const lines = found.reason?.text.split("\n") ?? [];
    expect(lines.map((line) => line.slice(0, check2.length))).toEqual([check2, expect.stringContaining(check25)]);
    expect(found.reason?.isOnce).toBe(false);
  });

  it("speak alone when only one fails (S4-46, S4-54)", () => {
    const approved = { passes: true, notes: "n", reviewStatus: "approved" as const };
    expect(said(approved, turn("implement", born)).reason?.text).toMatch(/^Implement iterations cannot [^\n]*$/);
    expect(said(approved, turn("implement", { ...born, ...approved })).reason).toBeNull();
    const unsaid = said({ passes: true, notes: "n" }, active);
    expect(unsaid.reason?.text).toMatch(/^Story US-001 has passes=true [^\n]*$/);
    expect(unsaid.warnings).toEqual([expect.stringContaining("(check 2.5)")]);
  });

  it("block as often as a broken rule does, also when a step is missing beside it (CW-4D)", () => {
    const before = { ...born, reviewStatus: "changes_requested" };
    const found = said({ reviewStatus: "changes_requested", reviewFeedback: "" }, turn("review-fix", before));
    expect(found.reason?.text.split("\n")).toHaveLength(2);
    expect(found.reason?.isOnce).toBe(false);
  });
});

describe("uncommitted changes at a stop", () => {
  it("block it with the first paths, the number of the others and what to do", () => {
    const paths = Array.from({ length: 22 }, (_, at) => `file-${at}`);
    const { reason } = checkLoosePaths(paths, "ralph");
    expect(reason?.text).toContain("- file-19\n- and 2 more\n\nBefore you stop:\n1. Update `ralph/progress.txt`");
    expect(checkLoosePaths(["a"], ".").reason?.text).toContain("Update `progress.txt`");
  });

  it("are not looked for outside git, and people hear of that", () => {
    expect(checkLoosePaths([], "ralph")).toEqual({ reason: null, warnings: [] });
    expect(checkLoosePaths(null, "ralph").warnings).toEqual([expect.stringContaining("(check 3)") as string]);
  });
});
