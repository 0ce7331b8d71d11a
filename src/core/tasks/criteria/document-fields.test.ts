import { describe, expect, it } from "vitest";
import { openFields, type Problem } from "./document-fields.ts";

describe("the fields of a document", () => {
  it("are read with their path, and what is wrong is noted instead of thrown (S2-50)", () => {
    const problems: Problem[] = [];
    const known = ["name", "count", "isOn", "items", "long"];
    const value = { name: 3, count: 1.5, isOn: "yes", items: "x", long: "x".repeat(10), toString: 1 };
    const fields = openFields(value, { path: "a.b", known, problems });
    expect([fields?.text("name"), fields?.integer("count", { min: 1, max: 9 }), fields?.flag("isOn", true)]).toEqual([
      null,
      null,
      true,
    ]);
    expect([fields?.list("items", 3), fields?.text("long", 5), fields?.needText("absent")]).toEqual([[], null, null]);
    expect(problems.map(({ path }) => path)).toEqual(
      ["toString", "name", "count", "isOn", "items", "long", "absent"].map((key) => `a.b.${key}`),
    );
  });
});
