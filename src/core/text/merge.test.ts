import { describe, expect, it } from "vitest";
import { mergeLayers } from "./merge.ts";

describe("mergeLayers", () => {
  function check(base: unknown, over: unknown, expected: unknown): void {
    expect(mergeLayers(base, over)).toEqual(expected);
  }

  it("lets scalars and lists of the later layer replace, never joins lists (S1-11)", () => {
    check({ a: 1, list: [1, 2] }, { a: 2, list: [3] }, { a: 2, list: [3] });
    check({ list: [1] }, { list: [] }, { list: [] });
  });

  it("keeps keys that the later layer does not have, at any depth (S1-11, S1-12)", () =>
    check({ a: { b: { c: 1, d: 2 } } }, { a: { b: { d: 3 } } }, { a: { b: { c: 1, d: 3 } } }));

  it("never lets an absent value override (S1-06)", () => check({ a: 1 }, { a: undefined }, { a: 1 }));

  it("lets null, false and zero override", () =>
    check({ a: 1, b: true, c: 3 }, { a: null, b: false, c: 0 }, { a: null, b: false, c: 0 }));

  it("lets an object replace a scalar and a scalar an object", () => {
    check({ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } });
    check({ a: { b: 1 } }, { a: 1 }, { a: 1 });
  });

  it("changes neither layer and cannot reach a prototype", () => {
    const base = { a: { b: 1 } };
    mergeLayers(base, JSON.parse('{"a": {"c": 2}, "__proto__": {"polluted": true}}'));
    expect(base).toEqual({ a: { b: 1 } });
    expect("polluted" in {}).toBe(false);
  });
});
