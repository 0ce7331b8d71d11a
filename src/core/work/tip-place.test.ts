import { describe, expect, it } from "vitest";
import { foreignPaths, judgeLook, judgePlace, type MainTreeFacts, type TipFacts } from "./tip-place.ts";

const left = { branch: "main", commit: "aaaaaaaaaaaaaaaa" };
const stands: TipFacts = { branch: "main", head: left.commit, base: null, merge: null, lost: [] };
const verified = [
  { taskId: "one", commit: "1111111111111111" },
  { taskId: "two", commit: "2222222222222222" },
];

describe("the branch that tasks are merged into", () => {
  const check = (change: Partial<TipFacts>, expected: string): void => {
    const decision = judgePlace(left, { ...stands, ...change }, verified);
    expect(decision.kind === "moved" ? decision.reason : "stands").toContain(expected);
  };

  it("stands where ralph left it, or one merge of ours above (a task is merged only where ralph left its branch)", () => {
    check({}, "stands");
    check({ head: "m", merge: "m", base: left.commit }, "stands");
  });

  it("was moved when another commit is there, even a merge like ours (a task is merged only where ralph left its branch)", () => {
    check({ head: "bbbbbbbbbbbbbbbb" }, "refs/heads/main was moved: expected aaaaaaaaaaaa, found bbbbbbbbbbbb.");
    check({ head: "m", merge: "m", base: "b" }, "found m.");
    check({ head: "m", base: left.commit }, "found m.");
    check({ head: null }, "found no commit.");
  });

  it("was left when HEAD is detached or on another branch (a task is merged only where ralph left its branch)", () => {
    check(
      { branch: null },
      "HEAD was moved: expected refs/heads/main at aaaaaaaaaaaa, found it detached at aaaaaaaaaaaa.",
    );
    check({ branch: "other" }, "found it on refs/heads/other at aaaaaaaaaaaa.");
  });

  it("names the tasks whose merges it lost, and what to do", () => {
    check(
      { head: "b", lost: ["2222222222222222"] },
      "found b. 222222222222 of task two is no longer in it. Move it back",
    );
    check({ branch: null, lost: ["1111111111111111"] }, "111111111111 of task one is no longer in refs/heads/main.");
  });
});

describe("the files of the main work tree", () => {
  const none: MainTreeFacts = { differing: [], changedAtStart: [], changedSince: [], inner: [], innerAtStart: [] };
  const check = (change: Partial<MainTreeFacts>, expected: string[]): void =>
    expect(foreignPaths({ ...none, ...change })).toEqual(expected);

  it("are foreign when they differ from the commit, but for a person's changes from before (merged = verified)", () => {
    check({}, []);
    check({ differing: ["a"], changedSince: ["a"] }, ["a"]);
    check({ differing: ["a"] }, ["a"]);
    check({ differing: ["a", "b"], changedAtStart: ["a"], changedSince: ["b"] }, ["b"]);
  });

  it("are foreign when a person's change is no longer as it was (merged = verified)", () =>
    check({ differing: ["a"], changedAtStart: ["a"], changedSince: ["a"] }, ["a"]));

  it("are foreign in a repository inside that came since the start (merged = verified)", () =>
    check({ inner: ["old/", "new/"], innerAtStart: ["old/", "x"] }, ["new/"]));
});

describe("a look at a merged tip", () => {
  const moved = { kind: "moved" as const, reason: "moved" };

  it("lets the gates count only for the commit's own files on the branch as ralph left it (merged = verified)", () => {
    expect(judgeLook({ kind: "stands" }, [])).toEqual({ kind: "same" });
    expect(judgeLook(moved, [])).toEqual({ kind: "hold", reason: "moved" });
    expect(judgeLook(moved, ["a"]).kind).toBe("hold");
    expect(judgeLook({ kind: "stands" }, ["a", "b"])).toEqual({
      kind: "undo",
      reason: expect.stringMatching(/differs from the merged commit.*: a, b\.$/),
    });
  });

  it("names ten paths at most", () => {
    const paths = Array.from({ length: 12 }, (_, index) => `f${index}`);
    expect(judgeLook({ kind: "stands" }, paths)).toMatchObject({ reason: expect.stringMatching(/f9 and 2 more\.$/) });
  });
});
