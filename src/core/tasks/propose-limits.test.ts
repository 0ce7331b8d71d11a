import { describe, expect, it } from "vitest";
import { type PastRole, proposeLimits } from "./propose-limits.ts";

const run = (iterations: number, changes: Partial<PastRole> = {}): PastRole => ({
  role: "coder",
  spec: "login",
  title: "Sign in with a password",
  iterations,
  isCompleted: true,
  ...changes,
});

describe("proposing limits from past runs", () => {
  const check = (past: PastRole[], expected: ReturnType<typeof proposeLimits>) =>
    expect(proposeLimits({ spec: "login", title: "Reset a password by mail" }, past)).toEqual(expected);

  it("names the median and the 90th percentile of completed runs (S2-59)", () =>
    check(
      [4, 1, 2, 3, 10, 2, 2, 3, 5, 9].map((iterations) => run(iterations)),
      [{ role: "coder", runs: 10, unfinished: 0, median: 3, p90: 9 }],
    ));

  it("counts runs that used up their limit, and takes no number from them (S2-59)", () =>
    check(
      [run(1), run(2), run(3), run(15, { isCompleted: false })],
      [{ role: "coder", runs: 3, unfinished: 1, median: 2, p90: 3 }],
    ));

  it("says nothing of a role with fewer than three completed runs, nor of other roles' runs (S2-59)", () =>
    check([run(1), run(2), run(3, { role: "qa" }), run(4, { isCompleted: false })], []));

  it("takes tasks with similar titles, and no others (S2-59)", () => {
    const elsewhere = { spec: "shop" };
    check(
      [1, 2, 3].map((iterations) => run(iterations, { ...elsewhere, title: "Reset the password" })),
      [{ role: "coder", runs: 3, unfinished: 0, median: 2, p90: 3 }],
    );
    check(
      [1, 2, 3].map((iterations) => run(iterations, { spec: "", title: "Draw a chart" })),
      [],
    );
  });
});
