import { describe, expect, it } from "vitest";
import { chooseByCommit, type CommitChoice, faultsMax } from "../../scripts/commit-choice.ts";
import { budgetMsOf, longSuites, portionOfCommit } from "../../scripts/long-suites.ts";

const hash = "00001f0000000000000000000000000000000000";
const faults = [
  { name: "001-a.json", file: "src/core/engine/a.ts" },
  { name: "002-b.json", file: "src/core/engine/upgrade/b.ts" },
  { name: "003-c.json", file: "src/shell/c.ts" },
];

function choose(changed: string[] | null, from = hash): CommitChoice {
  return chooseByCommit({ hash: from, changed, faults });
}

function sharesOf(choice: CommitChoice): string[] {
  return longSuites.map((suite) => `${suite.name} ${portionOfCommit(suite, choice).share}`);
}

describe("a commit", () => {
  it("draws a share of every long suite by its hash alone", () => {
    expect(sharesOf(choose([]))).toEqual([
      "agents 2/5",
      "tools 2/5",
      "repetitions 2/10",
      "simulations 2/10",
      "sessions 2/10",
      "streams 2/10",
      "cheats 2/10",
      "faults 2/10",
      "kills 2/10",
    ]);
    expect(sharesOf(choose(null))[0]).toBe("agents 1/1");
    expect(sharesOf(choose([], `000020${hash.slice(6)}`))).not.toEqual(sharesOf(choose([])));
  });

  it("adds the faults of the folders that it changed, and those that it wrote", () => {
    expect(choose(["src/core/engine/other.test.ts"]).faults).toEqual(["001-a.json"]);
    expect(choose(["tests/faults/003-c.json"]).faults).toEqual(faults.map(({ name }) => name).slice(2));
    expect(choose(["README.md"]).faults).toEqual([]);
    expect(choose(null).faults).toEqual([]);
  });

  it("runs more of the suites that its changes concern", () => {
    expect(sharesOf(choose(["src/shell/agents/x.ts"]))).toEqual([
      "agents 1/1",
      "tools 2/5",
      "repetitions 2/10",
      "simulations 2/10",
      "sessions 2/10",
      "streams 1/1",
      "cheats 2/10",
      "faults 2/10",
      "kills 2/10",
    ]);
    expect(sharesOf(choose(["src/core/work/x.ts"]))[3]).toBe("simulations 2/5");
    expect(sharesOf(choose(["src/core/session/x.ts"]))[4]).toBe("sessions 1/1");
    expect(sharesOf(choose(["src/shell/processes/x.ts"]))[2]).toBe("repetitions 1/1");
    expect(sharesOf(choose(["src/shell/seal/x.ts"]))[6]).toBe("cheats 2/5");
  });

  it("without a hash draws all the same", () => expect(sharesOf(choose([], ""))[0]).toBe("agents 1/5"));

  it("draws at most so many faults, always the same ones, and another commit others", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ name: `${index}.json`, file: "src/core/engine/a.ts" }));
    const drawFor = (from: string): string[] =>
      chooseByCommit({ hash: from, changed: ["src/core/engine/b.ts"], faults: many }).faults;
    expect(drawFor(hash)).toHaveLength(faultsMax);
    expect(drawFor(hash)).toEqual(drawFor(hash));
    expect(drawFor(hash)).not.toEqual(drawFor("ff"));
  });
});

describe("the budgets of the long suites", () => {
  const portion = { share: "1/1", seed: null, faults: [] };

  it("leave room for npm test within ninety-five minutes", () => {
    const wholeMs = longSuites.reduce((sum, suite) => sum + budgetMsOf(suite, portion), 0);
    expect(wholeMs + 6 * 60_000).toBeLessThanOrEqual(95 * 60_000);
  });

  it("shrink with the share and grow with named faults, never beyond the whole", () => {
    const [suite] = longSuites.filter(({ name }) => name === "faults");
    if (suite === undefined) throw new Error("there is no suite of faults");
    const whole = budgetMsOf(suite, portion);
    const tenth = budgetMsOf(suite, { ...portion, share: "3/10" });
    expect(tenth).toBeLessThan(whole / 3);
    expect(budgetMsOf(suite, { ...portion, share: "3/10", faults: ["1", "2"] })).toBeGreaterThan(tenth);
    expect(budgetMsOf(suite, { ...portion, faults: Array.from({ length: 400 }, String) })).toBe(whole);
  });
});
