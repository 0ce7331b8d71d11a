import { expect, it } from "vitest";
import { readTarget, type VerificationTarget } from "./read-range.ts";

const range = { kind: "range" as const, base: "main", head: "topic", isMergeBase: false };

it.each<[string | undefined, VerificationTarget]>([
  [undefined, { ...range, base: null, head: "HEAD" }],
  ["main..topic", range],
  ["main..", { ...range, head: "HEAD" }],
  ["..topic", { ...range, base: null }],
  ["main...topic", { ...range, isMergeBase: true }],
  ["v1.0..v1.1", { ...range, base: "v1.0", head: "v1.1" }],
  ["20261115-204355-k7q2", { kind: "run", id: "20261115-204355-k7q2" }],
  ["v1.0", { kind: "run", id: "v1.0" }],
])("reads %s", (word, expected) => {
  expect(readTarget(word)).toEqual(expected);
});
