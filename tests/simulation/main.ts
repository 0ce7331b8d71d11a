import { parseArgs } from "node:util";
import { takeShare } from "../../scripts/share.ts";
import { neverReached, simulatedKinds, simulateMany, simulateOne } from "./simulate-many.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    /** Instead of a mixture: so many runs of each kind. */
    each: { type: "string" },
    /** Of each kind every Nth run, beginning with the Kth. */
    share: { type: "string", default: "1/1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const seed = Number(values.seed);
process.exitCode = values.each === undefined ? await mixed(Number(values.runs)) : await each(Number(values.each));

async function mixed(runs: number): Promise<number> {
  process.stdout.write(`Simulating ${runs} runs from seed ${seed}\n`);
  const counts = await simulateMany(runs, seed);
  for (const [name, count] of Object.entries(counts)) process.stdout.write(`${String(count).padStart(8)} ${name}\n`);
  const missing = neverReached(counts);
  if (missing.length > 0) process.stdout.write(`never reached: ${missing.join(", ")}\n`);
  return missing.length === 0 ? 0 : 1;
}

/** Every failure is told with its seed, and the others go on. */
async function each(runs: number): Promise<number> {
  const seeds = takeShare(
    Array.from({ length: runs }, (_, run) => seed + run),
    values.share,
  );
  let failed = 0;
  for (const kind of simulatedKinds) {
    const began = performance.now();
    for (const one of seeds)
      await simulateOne(kind, one, false).catch((error: unknown) => {
        failed += 1;
        process.stdout.write(`FAILED  ${kind}: ${error instanceof Error ? error.message : String(error)}\n`);
      });
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(`${kind}: ${seeds.length} runs from seed ${seed}, share ${values.share}, in ${seconds} s\n`);
  }
  process.stdout.write(`${simulatedKinds.length * seeds.length - failed} passed, ${failed} failed, 0 skipped\n`);
  return failed === 0 ? 0 : 1;
}
