import { fork, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const running = new Set();
const notCopied = new Set(["node_modules", ".git", "coverage", ".cache", ".ralph"]);

/** A copy of the checkout and its bundles in the temp folder that shares its `node_modules`, to be broken at will. */
export function createCopy(root) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-fault-"));
  for (const name of readdirSync(root)) {
    if (!notCopied.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const runner = { child: null, stderr: "", changed: new Set() };
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => {
      writeFileSync(join(folder, file), text);
      runner.changed.add(file);
    },
    build: () => buildCopy(folder),
    ask: (request, timeoutMs) => ask(folder, runner, request, timeoutMs),
    endRunner: () => endRunner(runner),
  };
}

/** Ends every test run still going, with its workers. */
export function endAllRuns() {
  for (const child of running) end(child);
}

/** Null, or the first line of what went wrong. A folder without a build script needs none. */
function buildCopy(folder) {
  if (!existsSync(join(folder, "scripts", "build.js"))) return null;
  const ended = spawnSync(process.execPath, [join(folder, "scripts", "build.js")], { cwd: folder, encoding: "utf8" });
  return ended.status === 0 ? null : (ended.stderr.trim().split("\n")[0] ?? "no reason given");
}

/**
 * The answer of the copy's test runner, or null when it did not come in time. The runner lives on for the next request,
 * except after a timeout: only its end stops a test that never ends.
 */
async function ask(folder, runner, request, timeoutMs) {
  runner.child ??= await startRunner(folder, runner);
  const { child } = runner;
  const answer = await new Promise((resolve) => {
    const timer = setTimeout(() => settle(null), timeoutMs);
    const onExit = () => settle("died");
    const settle = (value) => {
      clearTimeout(timer);
      child.off("exit", onExit);
      child.off("message", settle);
      resolve(value);
    };
    child.once("exit", onExit);
    child.once("message", settle);
    child.send({ ...request, changed: [...runner.changed] });
    runner.changed.clear();
  });
  if (answer !== null && answer !== "died") return answer;
  endRunner(runner);
  if (answer === "died") throw new Error(`the test run died: ${runner.stderr.trim()}`);
  return null;
}

/** Resolves when the runner takes requests: the time it needs to start does not count for the first of them. */
async function startRunner(folder, runner) {
  const child = fork(join(scripts, "run-selected-tests.js"), [folder], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // A group of its own: on a timeout vitest's workers have to go too.
    detached: true,
  });
  running.add(child);
  runner.stderr = "";
  child.stderr.on("data", (chunk) => (runner.stderr = (runner.stderr + chunk).slice(-10_000)));
  child.once("exit", () => running.delete(child));
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error(`the test runner did not start: ${runner.stderr.trim()}`)));
  });
  return child;
}

/** The next request starts another runner, which has loaded nothing. */
function endRunner(runner) {
  if (runner.child !== null) end(runner.child);
  runner.child = null;
}

function end(child) {
  try {
    process.kill(-Number(child.pid), "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
