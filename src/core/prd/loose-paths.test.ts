import { describe, expect, it } from "vitest";
import { findLoosePaths, type ListPlaceInTree } from "./loose-paths.ts";

const files = ["prd.md", "tasks.json"];
const asBefore = new Set(["draft.txt", "ralph/prd.md", "app/ralph/prd.md", "prd.md", "app/prd.md"]);

function check(dirty: string[], place: Partial<ListPlaceInTree>, expected: string[]): void {
  const list = { prefix: "", folder: "ralph", files, ...place };
  expect(findLoosePaths({ dirty, isAsBefore: (path) => asBefore.has(path) }, list)).toEqual(expected);
}

describe("the uncommitted work of a turn (CW-4Q, R-106)", () => {
  it("is what the turn made or changed, not what is as a person left it", () =>
    check(["draft.txt", "new.txt"], {}, ["new.txt"]));

  it("has every file of the list in it, whoever changed it", () => {
    check(["ralph/prd.md", "draft.txt"], {}, ["ralph/prd.md"]);
    check(["ralph/prd.md", "app/ralph/prd.md"], { prefix: "app/" }, ["app/ralph/prd.md"]);
    check(["prd.md", "draft.txt"], { folder: "." }, ["prd.md"]);
    check(["prd.md", "app/prd.md"], { folder: ".", prefix: "app/" }, ["app/prd.md"]);
  });
});
