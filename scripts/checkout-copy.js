import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const running = new Set();
const notCopied = new Set(["node_modules", ".git", "dist", "coverage", ".cache", ".ralph"]);

/** A copy of the checkout in the temp folder that shares its `node_modules`, to be broken at will. */
export function createCopy(root) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-fault-"));
  for (const name of readdirSync(root)) {
    if (!notCopied.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => writeFileSync(join(folder, file), text),
    build: () => buildCopy(folder),
    run: (request, timeoutMs) => runTests(folder, request, timeoutMs),
  };
}

/** Ends every test run still going, with its workers. */
export function endAllRuns() {
  for (const child of running) process.kill(-Number(child.pid), "SIGKILL");
}

/** Null, or the first line of what went wrong. A folder without a build script needs none. */
function buildCopy(folder) {
  if (!existsSync(join(folder, "scripts", "build.js"))) return null;
  const ended = spawnSync(process.execPath, [join(folder, "scripts", "build.js")], { cwd: folder, encoding: "utf8" });
  return ended.status === 0 ? null : (ended.stderr.trim().split("\n")[0] ?? "no reason given");
}

/** The child's answer, or null when it did not come in time. */
async function runTests(folder, request, timeoutMs) {
  const requestFile = join(folder, ".fault-request.json");
  const answerFile = join(folder, ".fault-answer.json");
  rmSync(answerFile, { force: true });
  writeFileSync(requestFile, JSON.stringify(request));
  const child = spawn(process.execPath, [join(scripts, "run-selected-tests.js"), folder, requestFile, answerFile], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own: on a timeout vitest's workers have to go too.
    detached: true,
  });
  running.add(child);
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr = (stderr + chunk).slice(-10_000)));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-Number(child.pid), "SIGKILL");
  }, timeoutMs);
  await new Promise((resolve) => child.on("close", resolve));
  running.delete(child);
  clearTimeout(timer);
  if (isLate) return null;
  if (!existsSync(answerFile)) throw new Error(`the test run died: ${stderr.trim()}`);
  return JSON.parse(readFileSync(answerFile, "utf8"));
}
