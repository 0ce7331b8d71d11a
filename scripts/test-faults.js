// Plants each fault of tests/faults in a copy of the checkout; the tests that name what it breaks must go red.
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createCopy, endAllRuns } from "./checkout-copy.js";
import { isConcerned, parseFault, plantFault } from "./fault.ts";
import { takeShare } from "./share.js";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    root: { type: "string" },
    timeout: { type: "string" },
    /** `K/N`: every Nth fault, beginning with the Kth. */
    share: { type: "string", default: "1/1" },
  },
});
const root = values.root ?? dirname(dirname(fileURLToPath(import.meta.url)));
/** The slowest suite of one file takes well under a minute; a fault that makes it endless proves nothing. */
const timeoutMs = Number(values.timeout ?? 120) * 1000;
/** All tests of all faults together. */
const baselineTimeoutMs = 10 * timeoutMs;

const counts = { passed: 0, failed: 0 };
const copies = Array.from({ length: Math.max(1, Number(values.jobs)) }, () => createCopy(root));
process.on("exit", () => copies.forEach((copy) => rmSync(copy.folder, { recursive: true, force: true })));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
await main();
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

function stop() {
  endAllRuns();
  process.exit(130);
}

async function main() {
  const faults = readFaults();
  const [first] = copies;
  const build = first.build();
  if (build !== null) return report("the checkout without any fault", `does not build: ${build}`);
  const collected = await first.run({ selected: null }, baselineTimeoutMs);
  if (collected === null) return report("collecting the tests", "did not end in time");
  for (const file of collected.brokenFiles) report("collecting the tests", file);
  const jobs = faults.map((fault) => ({ fault, tests: collected.tests.filter((test) => isConcerned(fault, test)) }));
  const green = await findGreenTests(first, jobs);
  if (green === null) return report("the tests without any fault", "did not end in time");
  await Promise.all(copies.map((copy) => work(copy, jobs, green)));
}

function readFaults() {
  const folder = join(root, "tests", "faults");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const named = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word))).sort();
  return takeShare(named, values.share).flatMap((name) => {
    try {
      return [parseFault(name, readFileSync(join(folder, name), "utf8"))];
    } catch (error) {
      report(name, error.message);
      return [];
    }
  });
}

/** Runs every concerned test once without a fault: one that is red anyway proves nothing. */
async function findGreenTests(copy, jobs) {
  const selected = [...new Map(jobs.flatMap((job) => job.tests).map((test) => [keyOf(test), test])).values()];
  if (selected.length === 0) return new Set();
  const answer = await copy.run({ selected, bail: 0 }, baselineTimeoutMs);
  if (answer === null) return null;
  for (const test of answer.tests) {
    if (test.state === "failed") report(`${test.file} > ${test.name}`, `red without any fault: ${test.error}`);
  }
  return new Set(answer.tests.filter((test) => test.state === "passed").map(keyOf));
}

async function work(copy, jobs, green) {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const { fault } = job;
    const tests = job.tests.filter((test) => green.has(keyOf(test)));
    const problem =
      tests.length === 0
        ? "no green test names it"
        : await tryFault(copy, fault, tests).catch((error) => error.message);
    report(`${fault.name} (${fault.breaks})`, problem);
  }
}

/** Null when at least one test went red, else why the fault was not caught. */
async function tryFault(copy, fault, tests) {
  const original = copy.read(fault.file);
  copy.write(fault.file, plantFault(fault, original));
  try {
    const build = copy.build();
    if (build !== null) return `does not build: ${build}`;
    const answer = await copy.run({ selected: tests, bail: 1 }, timeoutMs);
    if (answer === null) return `its tests did not end within ${timeoutMs / 1000} s`;
    if (answer.brokenFiles.length > 0) return `a test file does not load: ${answer.brokenFiles[0]}`;
    if (answer.tests.some((test) => test.state === "failed")) return null;
    return `stayed green: ${tests.map((test) => test.name).join("; ")}`;
  } finally {
    copy.write(fault.file, original);
  }
}

function report(what, problem) {
  if (problem === null) counts.passed += 1;
  else counts.failed += 1;
  console.log(problem === null ? `caught  ${what}` : `FAILED  ${what}: ${problem}`);
}

function keyOf(test) {
  return `${test.file} ${test.name}`;
}
