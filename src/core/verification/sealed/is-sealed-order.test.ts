import { expect, it } from "vitest";
import { sealedCandidate, unsealedCommands } from "./is-sealed-order.ts";

it("seals the candidate of a claim, and nothing that is no tree", () => {
  const tree = "a".repeat(40);
  const [claim, none] = [
    { hasClaim: true, mayApprove: false },
    { hasClaim: false, mayApprove: false },
  ];
  expect(sealedCandidate({ ...claim, candidate: tree })).toBe(tree);
  expect(sealedCandidate({ ...claim, candidate: "b".repeat(64) })).toBe("b".repeat(64));
  expect(sealedCandidate({ ...none, candidate: tree })).toBeNull();
  expect(sealedCandidate({ ...claim, candidate: null })).toBeNull();
  expect(sealedCandidate({ ...claim, candidate: "unknown" })).toBeNull();
});

it("seals the candidate of a turn that may approve", () => {
  const tree = "a".repeat(40);
  expect(sealedCandidate({ hasClaim: false, mayApprove: true, candidate: tree })).toBe(tree);
});

it("names guardrails that did not run in the copy", () => {
  expect(unsealedCommands(["make", "npm test"], new Set(["npm test"]))).toEqual(["make"]);
  expect(unsealedCommands(["make"], new Set(["make", "more"]))).toEqual([]);
});
