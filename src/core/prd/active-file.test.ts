import { describe, expect, it } from "vitest";
import { type ActiveLoop, findActiveEdit, formatActiveFile, pidOfActiveFile } from "./active-file.ts";

const loop: ActiveLoop = {
  timestamp: "2026-11-15T20:00:00.000Z",
  pid: 4711,
  max_iterations: 15,
  mode: "direct",
  skipReview: false,
  reviewCap: 5,
  iterationMode: "review",
  preIterationSnapshot: { A: { passes: false, reviewStatus: "needs_review", reviewCount: 0 } },
  run: "20261115-200000-abcd",
  ralphDir: "ralph",
  dirtyAtStart: {},
};
const written = formatActiveFile(loop);

describe(".ralph-active", () => {
  it("carries the fields of the document (S4-12)", () => expect(JSON.parse(written)).toEqual(loop));

  it.each([
    ["the same", written, null],
    ["a deletion", null, "was deleted"],
    ["another pid", formatActiveFile({ ...loop, pid: 1 }), "was edited (pid)"],
    [
      "another mode and an empty snapshot",
      formatActiveFile({ ...loop, mode: "sandbox", preIterationSnapshot: {} }),
      "was edited (mode, preIterationSnapshot)",
    ],
    ["no JSON", "nothing", "was overwritten"],
    ["other white space", JSON.stringify(loop), "was rewritten"],
  ])("shows what an agent did to it: %s (R-102)", (_, found, expected) => {
    const sentence =
      expected === null
        ? null
        : `.ralph-active ${expected}. It belongs to the loop and was written again; do not change it.`;
    expect(findActiveEdit(written, found)).toBe(sentence);
  });

  it.each([
    [written, 4711],
    ['{"pid": "4711"}', null],
    ['{"pid": -1}', null],
    ["[]", null],
    ["", null],
  ])("names its process, whoever wrote it: row %#", (text, pid) => expect(pidOfActiveFile(text)).toBe(pid));
});
