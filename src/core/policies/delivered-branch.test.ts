import { expect, it } from "vitest";
import { movedHead } from "./delivered-branch.ts";

const main = "ref: refs/heads/main";
const commit = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

it.each<[string | null, string | null, string | null]>([
  [main, main, null],
  [commit, "4b825dc642cb6eb9a060e54bf8d69288fbee4904", null],
  [null, main, null],
  [main, null, null],
  [main, "ref: refs/heads/a/b", "The work is on branch a/b; the run began on branch main."],
  [commit, main, "The work is on branch main; the run began on no branch."],
  [
    main,
    commit,
    `The work is on no branch, at commit ${commit}; the run began on branch main. Keep it: git branch NAME ${commit}`,
  ],
])("the branch of what is delivered is named when it is another than at the start: %s, %s", (start, now, said) =>
  expect(movedHead(start, now)).toBe(said),
);
