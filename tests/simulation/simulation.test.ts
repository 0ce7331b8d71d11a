import { expect, it } from "vitest";
import { neverReached, simulateMany } from "./simulate-many.ts";

/** Another seed explores other runs: `npm run simulate -- --runs N --seed S`. */
const seed = Number(process.env["RALPH_SIMULATION_SEED"] ?? 20261115);

it(
  "2 000 simulated runs keep every invariant and reach every outcome, effect and kill (S1-84, R-44, R-45)",
  { timeout: 600_000 },
  async () => {
    const counts = await simulateMany(2000, seed);
    process.stderr.write(`simulation from seed ${seed}:\n${lines(counts)}`);
    expect(neverReached(counts)).toEqual([]);
  },
);

function lines(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `  ${String(count).padStart(6)} ${name}\n`)
    .join("");
}
