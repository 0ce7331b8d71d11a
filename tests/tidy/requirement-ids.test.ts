import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findGaps,
  idsOfGroup,
  parseRequirements,
  unknownIds,
  type Requirements,
} from "../../scripts/requirement-coverage.ts";
import { compareIds, idsIn, isId, namesId } from "../../scripts/requirement-ids.ts";

// Rows are titled by their number: an id in a title here would count as a test of that requirement.
describe("the ids named in a text", () => {
  it.each([
    ["finds a tag (S1-73, R-06)", ["S1-73", "R-06"]],
    ["three at once (S1-52..54)", ["S1-52", "S1-53", "S1-54"]],
    ["over the hundred (R-99..101)", ["R-99", "R-100", "R-101"]],
    ["with both ends in full (S4-46..S4-48)", ["S4-46", "S4-47", "S4-48"]],
    ["by letters (CW-1A..1C)", ["CW-1A", "CW-1B", "CW-1C"]],
    ["a list (CB-01, 02, 04..06)", ["CB-01", "CB-02", "CB-04", "CB-05", "CB-06"]],
    ["a list (CW-4B, 4K..4L) and more", ["CW-4B", "CW-4K", "CW-4L"]],
    ["tries S1-44, 10 times", ["S1-44"]],
    ["a number longer than an id S1-440", ["S1-440"]],
    ["no id: S5-01, XR-1, CB-, utf-8, R-x", []],
    ["an inverted range (S1-54..52)", []],
    ["the same twice (R-06, R-06)", ["R-06"]],
  ])("are spelled out: row %#", (text, ids) => {
    expect(idsIn(text)).toEqual(ids);
  });

  it("match whole ids only", () => {
    expect(namesId("a (S1-44)", "S1-44")).toBe(true);
    expect(namesId("a (S1-440)", "S1-44")).toBe(false);
    expect(isId("S1-44")).toBe(true);
    expect(isId("S1-44 and more")).toBe(false);
    expect(isId("every run ends")).toBe(false);
  });

  it("are sorted as the documents count", () => {
    expect(["R-100", "R-20", "CB-01"].toSorted(compareIds)).toEqual(["CB-01", "R-20", "R-100"]);
  });
});

describe("the coverage of a group", () => {
  const requirements: Requirements = {
    groups: { engine: 2, tasks: 4 },
    ids: { "R-01": ["engine"], "R-02": ["engine", "tasks"], "R-10": ["tasks"] },
  };

  it("lacks the ids no title names", () => {
    expect(findGaps(requirements, ["a (R-01)", "b"], "engine")).toEqual(["R-02"]);
    expect(findGaps(requirements, ["a (R-01..02)"], "engine")).toEqual([]);
    expect(findGaps(requirements, [], "tasks")).toEqual(["R-02", "R-10"]);
  });

  it("names ids in titles that no document knows", () => {
    expect(unknownIds(requirements, ["a (R-01, R-77)"])).toEqual(["R-77"]);
  });

  it("is asked for every id of the real list, each in a known group", () => {
    const file = join(import.meta.dirname, "../../docs/requirements.json");
    const real = parseRequirements(readFileSync(file, "utf8"));
    const grouped = Object.keys(real.groups).flatMap((group) => idsOfGroup(real, group));
    expect(new Set(grouped)).toEqual(new Set(Object.keys(real.ids)));
    expect(Object.keys(real.ids).filter((id) => !isId(id))).toEqual([]);
    expect(idsOfGroup(real, "engine")).toContain("R-87");
  });
});
