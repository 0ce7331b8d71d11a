import { describe, expect, it } from "vitest";
import {
  inOrderOfWorth,
  isDeafSpot,
  isNoticed,
  isProbedSingly,
  knownSpot,
  type KnownSpot,
  type SpotFacts,
  type SpotRun,
  withoutMark,
} from "./single-probe.ts";

function ended(exitCode: number, output = ""): SpotRun {
  return { exitCode, output, durationMs: 1 };
}

describe("a change of one expectation", () => {
  it.each<[string, SpotRun[], SpotRun, boolean]>([
    ["is noticed by a green check that turns red", [ended(0)], ended(1), true],
    ["is not noticed by a green check that only prints more", [ended(0, "ok 1")], ended(0, "not ok 1"), false],
    ["is noticed by a red check with another failure", [ended(1, "not ok a")], ended(1, "not ok a\nnot ok b"), true],
    ["is not noticed by a red check with the same failures", [ended(1, "not ok 7")], ended(1, "hi\nnot ok 8"), false],
    [
      "is not known to be noticed where equal runs differ",
      [ended(1, "fail /tmp/a"), ended(1, "fail /tmp/b")],
      ended(1, "fail /tmp/c"),
      false,
    ],
  ])("%s", (_, plain, changed, expected) => {
    expect(isNoticed(plain, changed)).toBe(expected);
  });

  const red = ended(1, "not ok a");
  const other = ended(1, "not ok a\nnot ok b");
  it.each<[string, Omit<SpotFacts, "id">, ReturnType<typeof knownSpot>]>([
    [
      "was heard where the base noticed it",
      { plain: [red], falsified: other, inverted: null },
      { id: "1", isHeard: true, isRed: false },
    ],
    [
      "was heard where the base noticed its opposite",
      { plain: [red], falsified: red, inverted: ended(0) },
      { id: "1", isHeard: true, isRed: true },
    ],
    [
      "is unknown where a red base noticed neither",
      { plain: [red], falsified: red, inverted: red },
      { id: "1", isHeard: false, isRed: false },
    ],
    [
      "is nobody's concern where a green base did not notice",
      { plain: [ended(0)], falsified: ended(0), inverted: null },
      null,
    ],
  ])("%s", (_, facts, expected) => {
    expect(knownSpot({ id: "1", ...facts })).toEqual(expected);
  });

  it.each<[string, KnownSpot["isHeard"], SpotRun | null, boolean]>([
    ["refuses where the base listened", true, null, true],
    ["refuses where the assertion is reached and does not compare", false, ended(1), true],
    ["refuses nothing where the assertion is not reached", false, ended(0), false],
    ["refuses nothing where nobody knows", false, null, false],
  ])("%s", (_, isHeard, inverted, expected) => {
    expect(isDeafSpot({ id: "1", isHeard }, inverted)).toBe(expected);
  });

  it("is tried first where the base was red", () => {
    const spots = [
      { id: "unknown", isHeard: false, isRed: false, group: null },
      { id: "green", isHeard: true, isRed: false, group: null },
      { id: "red", isHeard: true, isRed: true, group: null },
    ];
    expect(inOrderOfWorth(spots).map(({ id }) => id)).toEqual(["red", "green", "unknown"]);
  });

  it("is heard where the same helper heard another one", () => {
    const spots = [
      { id: "a", isHeard: false, isRed: false, group: "same 1" },
      { id: "b", isHeard: true, isRed: false, group: "same 1" },
      { id: "c", isHeard: false, isRed: false, group: "same 2" },
    ];
    expect(inOrderOfWorth(spots)).toEqual([
      { id: "a", isHeard: true },
      { id: "b", isHeard: true },
      { id: "c", isHeard: false },
    ]);
  });

  it("is not noticed by a check that only prints it", () => {
    const printed = withoutMark(ended(1, "not ok a, wanted ALxkqpr"), { added: "xkqpr", removed: "" });
    expect(isNoticed([ended(1, "not ok a, wanted AL")], printed)).toBe(false);
  });

  it("is tried on its own only in short checks without a report", () => {
    expect(isProbedSingly({ hasReport: false, durationMs: 900 })).toBe(true);
    expect(isProbedSingly({ hasReport: true, durationMs: 900 })).toBe(false);
    expect(isProbedSingly({ hasReport: false, durationMs: 9000 })).toBe(false);
  });
});
