import { expect, it } from "vitest";
import { sealedCandidate, unsealedCommands } from "./is-sealed-order.ts";

it("seals the candidate of a claim, and nothing that is no tree", () => {
  const tree = "a".repeat(40);
  expect(sealedCandidate({ hasClaim: true, candidate: tree })).toBe(tree);
  expect(sealedCandidate({ hasClaim: true, candidate: "b".repeat(64) })).toBe("b".repeat(64));
  expect(sealedCandidate({ hasClaim: false, candidate: tree })).toBeNull();
  expect(sealedCandidate({ hasClaim: true, candidate: null })).toBeNull();
  expect(sealedCandidate({ hasClaim: true, candidate: "unknown" })).toBeNull();
});

it("names guardrails that did not run in the copy", () => {
  expect(unsealedCommands(["make", "npm test"], new Set(["npm test"]))).toEqual(["make"]);
  expect(unsealedCommands(["make"], new Set(["make", "more"]))).toEqual([]);
});
