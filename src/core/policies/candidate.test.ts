import { describe, expect, it } from "vitest";
import {
  candidateOf,
  isCommitOfRun,
  isComparable,
  isRepositoryMissed,
  isRepositoryReplaced,
  newParts,
  takesNew,
} from "./candidate.ts";

describe("files that git does not know", () => {
  const taken = (stage: "run" | "tracked" | "all", untrackedAtStart: string[] | null): boolean[] =>
    ["old", "new"].map(takesNew({ stage, untrackedAtStart }));

  it("are taken when they appeared since the run began, or as the settings say (CW-1F)", () => {
    expect(taken("run", ["old"])).toEqual([false, true]);
    expect(taken("tracked", ["old"])).toEqual([false, false]);
    expect(taken("all", ["old"])).toEqual([true, true]);
  });

  it("are left out where nobody knows which were there before (CW-1F)", () =>
    expect(taken("run", null)).toEqual([false, false]));
});

describe("a candidate", () => {
  it("is the tree that would be delivered", () => expect(candidateOf({ tree: "a", gaps: [] }, "b")).toBe("a"));

  it("equals no earlier one where it has files which the checks saw and no commit takes", () => {
    const odd = candidateOf({ tree: "a", gaps: ["x"] }, "a");
    expect(odd).not.toBe("a");
    expect(candidateOf({ tree: "a", gaps: ["x"] }, odd)).not.toBe(odd);
  });

  it("refuses a claim whose tree nobody can read: it equals no earlier one, not even another such tree", () => {
    const first = candidateOf(null, null);
    expect(candidateOf(null, first)).not.toBe(first);
    expect([isComparable("a", "b"), isComparable("a", "a"), isComparable("a", null), isComparable("a", first)]).toEqual(
      [true, false, false, false],
    );
  });

  it("needs the repository that the run began in", () => {
    expect(isRepositoryMissed({ isFound: false, hasBegunInOne: true })).toBe(true);
    expect(isRepositoryMissed({ isFound: false, hasBegunInOne: false })).toBe(false);
    expect(isRepositoryMissed({ isFound: true, hasBegunInOne: true })).toBe(false);
  });

  it("needs the repository at its place, and no link to another", () => {
    const folder = { gitDir: "/a/.git", commonDir: "/a/.git", entry: "folder" } as const;
    expect(isRepositoryReplaced(folder, folder)).toBe(false);
    expect(isRepositoryReplaced(folder, { ...folder, entry: "other" })).toBe(true);
    expect(isRepositoryReplaced(folder, { ...folder, gitDir: "/b/.git" })).toBe(true);
    expect(isRepositoryReplaced(folder, { ...folder, commonDir: "/b/.git" })).toBe(true);
    const { entry, ...older } = folder;
    expect([entry, isRepositoryReplaced(older, { ...folder, entry: "other" })]).toEqual(["folder", false]);
  });

  it("needs the parts of the repository where they were, whatever else leads out of it since before", () => {
    expect(newParts(["objects"], ["objects"])).toEqual([]);
    expect(newParts(["objects"], ["objects", "refs"])).toEqual(["refs"]);
    expect(newParts(undefined, ["refs"])).toEqual([]);
  });

  it("links submodules only to commits that were there before the first turn", () => {
    const check = (commit: string, commitsAtStart: string[]): boolean => isCommitOfRun({ commit, commitsAtStart });
    expect([check("a", ["a"]), check("b", ["a", "b"])]).toEqual([false, false]);
    expect([check("a", []), check("b", ["a"])]).toEqual([true, true]);
  });
});
