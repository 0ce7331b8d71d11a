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
