import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { neverReached, simulateMany } from "./simulate-many.ts";
import { simulateSupervised } from "./simulate-supervised.ts";
import { supervisedFaults } from "./supervised-faults.ts";

/** Another seed explores other runs: `npm run simulate -- --runs N --seed S`. */
const seed = Number(process.env["RALPH_SIMULATION_SEED"] ?? 20261115);

it(
  "2 000 simulated runs, supervised ones among them, keep every invariant and reach every outcome, effect and kill (S1-84, S3-40, CW-3G, R-44, R-45, R-86, R-96..98)",
  { timeout: 600_000 },
  async () => {
    const counts = await simulateMany(2000, seed);
    process.stderr.write(`simulation from seed ${seed}:\n${lines(counts)}`);
    expect(neverReached(counts)).toEqual([]);
  },
);

describe("the invariants of supervised runs can fail", () => {
  it.each(Object.entries(supervisedFaults))(
    'a fault planted against "%s" is caught',
    async (name, plant) => {
      const found = await firstFault(plant, 400);
      expect(found).toContain(name);
    },
    60_000,
  );
});

/** What the first of many runs with a planted fault says; empty when none noticed it. */
async function firstFault(plant: Parameters<typeof simulateSupervised>[2], runsMax: number): Promise<string> {
  for (let run = 0; run < runsMax; run++) {
    try {
      await simulateSupervised(seed + run, createMemoryStore(), plant);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return "";
}

function lines(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `  ${String(count).padStart(6)} ${name}\n`)
    .join("");
}
