// Plants each fault of tests/faults in a copy of the checkout; the tests that name what it breaks must go red.
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createCopy, endAllRuns } from "./checkout-copy.js";
import { isConcerned, parseFault, plantFault } from "./fault.ts";
import { takeShare } from "./share.ts";
import { mayConcern, readTestFiles } from "./test-files.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    root: { type: "string" },
    timeout: { type: "string" },
    /** `K/N`: every Nth fault, beginning with the Kth. */
    share: { type: "string", default: "1/1" },
    /** A fault by its file name that is tried whatever the share is. */
    also: { type: "string", multiple: true, default: [] },
    /** Says on stderr how long each phase took. */
    times: { type: "boolean", default: false },
  },
});
const root = values.root ?? dirname(dirname(fileURLToPath(import.meta.url)));
/** A little longer than a test that hangs; a fault that makes its tests endless proves nothing. */
const timeoutMs = Number(values.timeout ?? 300) * 1000;
/** All tests of all faults together. */
const baselineTimeoutMs = 4 * timeoutMs;

const counts = { passed: 0, failed: 0 };
const copies = [];
const stayedGreen = "stayed green";
process.on("exit", () => {
  endAllRuns();
  copies.forEach((copy) => rmSync(copy.folder, { recursive: true, force: true }));
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
await main();
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

async function main() {
  const faults = readFaults();
  if (faults.length === 0) return;
  const first = openCopy();
  const jobs = await collectJobs(first, faults);
  if (jobs === null) return report("collecting the tests", "did not end in time");
  // First what needs no process and no bundle: that catches most faults in a second each.
  const left = await tryAll(jobs, "quick");
  for (const job of left.filter(({ slow }) => slow.length === 0)) report(nameOf(job.fault), whyNotCaught(job));
  const others = left.filter(({ slow }) => slow.length > 0).sort((one, other) => usesBundle(one) - usesBundle(other));
  for (const job of await tryAll(others, "slow")) report(nameOf(job.fault), whyNotCaught(job));
}

function readFaults() {
  const folder = join(root, "tests", "faults");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const named = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word))).sort();
  const chosen = new Set([...takeShare(named, values.share), ...values.also.filter((name) => names.includes(name))]);
  return [...chosen].flatMap((name) => {
    try {
      return [parseFault(name, readFileSync(join(folder, name), "utf8"))];
    } catch (error) {
      report(name, error.message);
      return [];
    }
  });
}

/** Each fault with its tests. Only files that can hold one are loaded. */
async function collectJobs(copy, faults) {
  const files = readTestFiles(root).filter((file) => faults.some((fault) => mayConcern(fault, file)));
  const collected = await timed(`collect ${files.length} test files`, () =>
    copy.ask({ collect: files.map(({ path }) => path) }, baselineTimeoutMs),
  );
  if (collected === null) return null;
  for (const file of collected.brokenFiles) report("collecting the tests", file);
  const bundled = new Set(files.filter((file) => file.usesBundle).map(({ path }) => path));
  return faults.map((fault) => {
    const tests = collected.tests
      .filter((test) => isConcerned(fault, test))
      .map((test) => ({ ...test, usesBundle: bundled.has(test.file) }));
    const isSlow = (test) => test.project === "suites";
    return { fault, quick: tests.filter((test) => !isSlow(test)), slow: tests.filter(isSlow), tried: [] };
  });
}

/** Tries each fault on its tests of one kind and reports what is decided; returns the faults that were not caught. */
async function tryAll(jobs, kind) {
  const [first] = copies;
  const concerned = jobs.filter((job) => job[kind].length > 0);
  const green = await findGreenTests(
    first,
    concerned.flatMap((job) => job[kind]),
    kind,
  );
  if (green === null) {
    report("the tests without any fault", "did not end in time");
    return [];
  }
  const queue = [...concerned];
  const left = new Set(jobs);
  const work = async (copy) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const tests = job[kind].filter((test) => green.has(keyOf(test)));
      if (tests.length === 0) continue;
      const problem = await timed(`${job.fault.name}, ${kind}`, () => tryFault(copy, job.fault, tests, kind));
      if (problem === stayedGreen) {
        job.tried.push(...tests);
        continue;
      }
      left.delete(job);
      report(nameOf(job.fault), problem);
    }
  };
  const needed = Math.min(Math.max(1, Number(values.jobs)), concerned.length);
  while (copies.length < needed) openCopy();
  await Promise.all(copies.slice(0, needed).map(work));
  return [...left];
}

/** Runs every concerned test once without a fault: one that is red anyway proves nothing. */
async function findGreenTests(copy, tests, kind) {
  const selected = [...new Map(tests.map((test) => [keyOf(test), test])).values()];
  if (selected.length === 0) return new Set();
  const answer = await timed(`${selected.length} ${kind} tests without any fault`, () =>
    copy.ask({ selected, bail: 0 }, baselineTimeoutMs),
  );
  if (answer === null) return null;
  for (const test of answer.tests) {
    if (test.state === "failed") report(`${test.file} > ${test.name}`, `red without any fault: ${test.error}`);
  }
  return new Set(answer.tests.filter((test) => test.state === "passed").map(keyOf));
}

/** Null when at least one test went red, else why the fault was not caught. */
async function tryFault(copy, fault, tests, kind) {
  const original = copy.read(fault.file);
  try {
    copy.write(fault.file, plantFault(fault, original));
    const needsBundle = tests.some((test) => test.usesBundle);
    const found = await runWithFault(copy, tests, { needsBundle, isFirstFailureEnough: kind === "slow" });
    if (found !== stayedGreen) return found;
    // Certain only after a fresh runner with fresh bundles agrees: product code can reach the bundles too.
    copy.endRunner();
    return await runWithFault(copy, tests, { needsBundle: kind === "slow", isFirstFailureEnough: true });
  } catch (error) {
    return error.message;
  } finally {
    copy.write(fault.file, original);
  }
}

/**
 * A run that ends at the first failure saves minutes in the suites, but can leave modules in flight: its runner is not used
 * again. The others run all their tests and share one.
 */
async function runWithFault(copy, tests, { needsBundle, isFirstFailureEnough }) {
  const build = needsBundle ? copy.build() : null;
  if (build !== null) return `does not build: ${build}`;
  // It may have loaded the bundles as they were.
  if (needsBundle) copy.endRunner();
  const answer = await copy.ask({ selected: tests, bail: isFirstFailureEnough ? 1 : 0 }, timeoutMs);
  if (isFirstFailureEnough) copy.endRunner();
  if (answer === null) return `its tests did not end within ${timeoutMs / 1000} s`;
  if (answer.brokenFiles.length > 0) return `a test file does not load: ${answer.brokenFiles[0]}`;
  return answer.tests.some((test) => test.state === "failed") ? null : stayedGreen;
}

function whyNotCaught(job) {
  if (job.tried.length === 0) return "no green test names it";
  return `stayed green: ${job.tried.map((test) => test.name).join("; ")}`;
}

function openCopy() {
  const copy = createCopy(root);
  copies.push(copy);
  return copy;
}

async function timed(what, work) {
  const began = performance.now();
  const result = await work();
  if (values.times) console.error(`${((performance.now() - began) / 1000).toFixed(1)} s  ${what}`);
  return result;
}

function report(what, problem) {
  if (problem === null) counts.passed += 1;
  else counts.failed += 1;
  console.log(problem === null ? `caught  ${what}` : `FAILED  ${what}: ${problem}`);
}

function usesBundle(job) {
  return Number(job.slow.some((test) => test.usesBundle));
}

function nameOf(fault) {
  return `${fault.name} (${fault.breaks})`;
}

function keyOf(test) {
  return `${test.file} ${test.name}`;
}
