import { expect, it } from "vitest";
import { renderCheck } from "./render-check.ts";

it("says how much of the journal the hashes cover, and where it is broken", () => {
  expect(renderCheck("a", { isIntact: true, entries: 1, unhashed: 0 })).toBe(
    "The journal of run a is intact: 1 entry.\n",
  );
  expect(renderCheck("a", { isIntact: true, entries: 9, unhashed: 4 })).toContain(
    "9 entries; the first 4 were written by a version without hashes.",
  );
  expect(renderCheck("a", { isIntact: false, seq: 3, problem: "it is missing" })).toBe(
    "The journal of run a is broken at entry 3: it is missing.\n",
  );
});
