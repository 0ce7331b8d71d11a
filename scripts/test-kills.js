// Kills runs of every kind at random moments and resumes them: nothing may be lost, nothing left. See tests/kills/README.md.
import { parseArgs } from "node:util";
import { closeAll } from "../tests/kills/closing.ts";
import { jobKinds, prepareJob } from "../tests/kills/jobs.ts";
import { takeShare } from "./share.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "4" },
    /** `K/N`: every Nth run of each kind, beginning with the Kth. */
    share: { type: "string", default: "1/1" },
    /** The first run of each kind has this seed, the next one the following number. */
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    kind: { type: "string", multiple: true, default: [...jobKinds] },
    /** Runs of each kind. */
    count: { type: "string", default: "200" },
  },
});
const unknown = values.kind.filter((kind) => !jobKinds.includes(kind));
if (unknown.length > 0) {
  console.error(`no such kind: ${unknown.join(", ")}; choose of ${jobKinds.join(", ")}`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => void stop());
const counts = { passed: 0, failed: 0 };
let isStopped = false;
const seed = Number(values.seed);
console.log(`Killing ${values.count} runs of each kind, share ${values.share}, from seed ${seed}`);
const seeds = takeShare(
  Array.from({ length: Number(values.count) }, (_, index) => seed + index),
  values.share,
);
for (const kind of values.kind) await runKind(kind);
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
if (isStopped) process.exit(130);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

async function stop() {
  isStopped = true;
  await closeAll();
  process.exit(130);
}

/** All runs of a kind, some at once. The undisturbed ones run at once too: they show how long a run takes under this load. */
async function runKind(kind) {
  const began = performance.now();
  const atOnce = Math.max(1, Number(values.jobs));
  const job = await prepareJob(kind, atOnce).catch((error) => error);
  if (job instanceof Error) {
    counts.failed += 1;
    return console.log(`FAILED  ${kind}, undisturbed: ${job.message}`);
  }
  const left = [...seeds];
  const work = async () => {
    for (let next = left.shift(); next !== undefined && !isStopped; next = left.shift())
      report(kind, next, await job(next));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(`${kind}: ${seeds.length} runs in ${Math.round((performance.now() - began) / 1000)} s`);
}

function report(kind, jobSeed, { story, problems }) {
  if (problems.length === 0) {
    counts.passed += 1;
    return;
  }
  counts.failed += 1;
  console.log(`FAILED  ${kind}, seed ${jobSeed}: ${story.join("; ")}`);
  for (const problem of problems) console.log(`  ${problem.trimEnd().replaceAll("\n", "\n  ")}`);
  console.log(`  again with: npm run test:kills -- --kind ${kind} --seed ${jobSeed} --count 1`);
}
