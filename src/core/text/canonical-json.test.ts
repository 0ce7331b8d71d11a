import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

it("sorts the keys of every object and keeps the order of lists", () =>
  expect(canonicalJson({ b: [{ d: 1, c: null }, 2], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1},2]}'));

it("leaves out what JSON leaves out", () => expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}'));
