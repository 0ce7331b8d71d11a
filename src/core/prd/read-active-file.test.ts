import { describe, expect, it } from "vitest";
import { type ActiveReading, readActiveFile } from "./read-active-file.ts";

const nothing: ActiveReading = {
  run: null,
  isDirect: false,
  ralphDir: null,
  role: null,
  snapshot: null,
  review: { isReviewSkipped: false, reviewCap: 5, atCap: "hold" },
  dirtyAtStart: null,
};

function check(text: string, expected: Partial<ActiveReading> | null): void {
  expect(readActiveFile(text)).toEqual(expected === null ? null : { ...nothing, ...expected });
}

describe("readActiveFile", () => {
  it("reads what a run wrote (S4-39)", () => {
    const snapshot = { "US-1": { passes: false, reviewStatus: null, reviewCount: 0 } };
    const marker = {
      run: "r1",
      mode: "direct",
      ralphDir: "docs/list",
      iterationMode: "review",
      preIterationSnapshot: snapshot,
    };
    check(JSON.stringify({ ...marker, skipReview: true, reviewCap: 2, dirtyAtStart: { a: "1f" } }), {
      run: "r1",
      isDirect: true,
      ralphDir: "docs/list",
      role: "review",
      snapshot: { tasks: [{ id: "US-1", passes: false, reviewStatus: null, reviewCount: 0 }] },
      review: { isReviewSkipped: true, reviewCap: 2, atCap: "hold" },
      dirtyAtStart: new Map([["a", "1f"]]),
    });
  });

  it.each([
    "..",
    "../other",
    "a/../../b",
    "a\\..\\b",
    "/etc",
    "\\share",
    "C:/list",
    "",
    "a\0b",
    "x".repeat(1001),
    7,
    null,
  ])("takes no folder outside the project from it: %j (CW-4R)", (ralphDir) => check(JSON.stringify({ ralphDir }), {}));

  it("takes nothing from a file that anybody may have written (CW-4R)", () => {
    check("{ torn", null);
    check("[]", null);
    check("{}", {});
    check('{"run": 7, "mode": 1, "iterationMode": "god", "reviewCap": -1, "skipReview": "yes"}', {});
    check('{"preIterationSnapshot": {"US-1": 5}, "dirtyAtStart": "all"}', {});
    check('{"dirtyAtStart": ["a"]}', {});
    check('{"dirtyAtStart": {"a": "1f", "b": 1}}', { dirtyAtStart: new Map([["a", "1f"]]) });
  });
});
