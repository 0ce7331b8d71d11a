// The long suites, each with a time budget: real agents, repetitions, planted faults, kills. See CONTRIBUTING.md.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readChangedFiles, readHash } from "./changed-files.js";
import { chooseByCommit } from "./commit-choice.ts";
import { budgetMsOf, longSuites, portionOfCommit } from "./long-suites.ts";
import { readShare } from "./share.ts";

const { values } = parseArgs({
  options: {
    /** `K/N`: the Kth of N parts of every suite. */
    share: { type: "string", default: "1/1" },
    /** Only these suites; can be given more than once. */
    only: { type: "string", multiple: true, default: longSuites.map(({ name }) => name) },
    /** What the commit that is checked out chooses, instead of a share. */
    commit: { type: "boolean", default: false },
    /** Multiplies the budgets, for a machine that does other work too. */
    patience: { type: "string", default: "1" },
  },
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const unknown = values.only.filter((name) => !longSuites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(", ")}; choose of ${longSuites.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
if (!(Number(values.patience) > 0))
  refuse(`--patience is "${values.patience}"; it must be a number above 0, such as 3`);
try {
  readShare(values.share);
} catch (error) {
  refuse(error.message);
}
let running = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

const choice = values.commit ? readChoice() : null;
const results = [];
for (const suite of longSuites.filter(({ name }) => values.only.includes(name))) results.push(await runSuite(suite));
for (const { line } of results) console.log(line);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
process.exit(sum("failed") > 0 ? 1 : 0);

function refuse(problem) {
  console.error(problem);
  process.exit(2);
}

function readChoice() {
  const folder = join(root, "tests", "faults");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const faults = names.map((name) => ({ name, file: JSON.parse(readFileSync(join(folder, name), "utf8")).file }));
  const changed = readChangedFiles(root);
  const chosen = chooseByCommit({ hash: readHash(root), changed, faults });
  const seen = changed === null ? "git cannot tell what changed" : `${changed.length} changed files`;
  console.log(`this commit draws number ${chosen.drawn}; ${seen}, ${chosen.faults.length} faults of their folders`);
  return chosen;
}

async function runSuite(suite) {
  const portion = choice === null ? { share: values.share, seed: null, faults: [] } : portionOfCommit(suite, choice);
  if (suite.isWhole && !portion.share.startsWith("1/"))
    return { line: `${suite.name}: belongs to another share`, passed: 0, failed: 0, skipped: 0 };
  const budgetMs = budgetMsOf(suite, portion) * Number(values.patience);
  const began = performance.now();
  console.log(`${suite.name}, share ${portion.share}:`);
  const { code, isLate, lastLine } = await runCommand(suite, portion, budgetMs);
  const took = `${describeTime(performance.now() - began)} of ${describeTime(budgetMs)}`;
  const [passed = 0, failed = 0, skipped = 0] = (/^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(lastLine) ?? [])
    .slice(1)
    .map(Number);
  if (isLate) return { line: `${suite.name}: FAILED, over its budget: ${took}`, passed, failed: failed + 1, skipped };
  // A suite that broke off has counted nothing.
  const failures = code === 0 ? failed : Math.max(failed, 1);
  const counted = `${passed} passed, ${failures} failed, ${skipped} skipped`;
  return { line: `${suite.name}: ${counted} in ${took}`, passed, failed: failures, skipped };
}

async function runCommand(suite, portion, budgetMs) {
  const child = spawn(process.execPath, suite.argv(portion), {
    cwd: root,
    env: { ...process.env, ...suite.env },
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, so that what is over its budget ends with all its workers.
    detached: true,
  });
  running = child;
  let lastLine = "";
  let text = "";
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    text = (text + chunk).slice(-10_000);
    lastLine = text.trimEnd().split("\n").at(-1) ?? "";
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, budgetMs);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  running = null;
  return { code, isLate, lastLine };
}

/** First a word, so that the suite removes its copies and ends what it started; ten seconds later the end. */
function endGroup(child) {
  signalGroup(child, "SIGTERM");
  setTimeout(() => signalGroup(child, "SIGKILL"), 10_000).unref();
}

function signalGroup(child, signal) {
  try {
    process.kill(-Number(child.pid), signal);
  } catch {
    // It has ended by itself.
  }
}

function stop() {
  if (running === null) process.exit(130);
  running.once("close", () => process.exit(130));
  endGroup(running);
}

function describeTime(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
