import { parseArgs } from "node:util";
import { neverReached, simulateMany } from "./simulate-many.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
process.stdout.write(`Simulating ${runs} runs from seed ${seed}\n`);
const counts = await simulateMany(runs, seed);
for (const [name, count] of Object.entries(counts)) process.stdout.write(`${String(count).padStart(8)} ${name}\n`);
const missing = neverReached(counts);
if (missing.length > 0) process.stdout.write(`never reached: ${missing.join(", ")}\n`);
process.exitCode = missing.length === 0 ? 0 : 1;
