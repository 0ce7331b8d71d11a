import { expect, it } from "vitest";
import type { RunCheck } from "../../../app/query/check-journal.ts";
import { renderCheck } from "./render-check.ts";

function check(given: RunCheck, expected: string): void {
  expect(renderCheck("a", given)).toBe(expected);
}

const intact = { isIntact: true as const, entries: 9, unhashed: 0, isReplayed: true, unreplayed: 0 };
const broken = {
  isIntact: false as const,
  seq: null,
  problem: "it leads to another state",
  fields: ["outcome", "spend"],
};

it("says how much of the journal the hashes and the replay cover", () => {
  check({ ...intact, entries: 1 }, "The journal of run a is intact: 1 entry leads to its state.\n");
  check(
    { ...intact, unhashed: 4, unreplayed: 3 },
    "The journal of run a is intact: 9 entries; those since its upgrade lead to its state, the 3 steps before it are not replayed; the first 4 were written by a version without hashes.\n",
  );
  check(
    { ...intact, isReplayed: false, unreplayed: 9 },
    "The journal of run a is intact: 9 entries, which this version cannot replay.\n",
  );
});

it("names the entry or the fields at which a journal is broken", () => {
  check(
    { isIntact: false, seq: 3, problem: "it is missing", fields: [] },
    "The journal of run a is broken at entry 3: it is missing.\n",
  );
  check(broken, "The journal of run a is broken: it leads to another state (outcome, spend).\n");
});

it("says the same of the role runs of a work run, by name where one is broken", () => {
  const own = "The journal of run a is intact: 9 entries lead to its state.\n";
  check({ ...intact, roles: [] }, own);
  check({ ...intact, roles: [{ id: "b", ...intact }] }, `${own}So is the journal of its role run.\n`);
  const both = [
    { id: "b", ...intact },
    { id: "c", ...broken },
  ];
  const whole = { ...broken, fields: [], problem: "the journal of its role run c is broken" };
  const named = "The journal of role run c is broken: it leads to another state (outcome, spend).\n";
  check({ ...whole, roles: both }, `The journal of run a is broken: ${whole.problem}.\n${named}`);
});
