// Everything that must hold: format, lint and types first, then every suite. With arguments only the tests they choose.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCLI, startVitest } from "vitest/node";
import { readResults } from "./test-results.js";

/** The number of its kind that Linux gives a file system in memory, and the room that all tests at once need many times over. */
const tmpfs = 0x01021994;
const roomMin = 4 * 1024 ** 3;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const isEverything = args.length === 0;

useMemoryFolder();
const isCheckGreen = isEverything ? runCheck() : true;
const results = await runSuites();
const failed = results.failed + (isCheckGreen ? 0 : 1);

for (const name of results.skippedNames) console.log(`skipped: ${name}`);
if (!isCheckGreen) console.log("failed: npm run check (format, lint, types), see above");
console.log(`${results.passed} passed, ${failed} failed, ${results.skippedNames.length} skipped`);
process.exit(failed > 0 || results.passed === 0 ? 1 : 0);

function runCheck() {
  const ended = spawnSync("npm", ["run", "--silent", "check"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return ended.status === 0;
}

async function runSuites() {
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  // What needs more than Node and git is a long suite; whoever names its files gets it.
  const chosen = isEverything ? { project: ["!tools"] } : {};
  const vitest = await startVitest("test", filter, { ...options, ...chosen, root, watch: false });
  const found = readResults(vitest, { isNamePatternGiven: options.testNamePattern !== undefined });
  await vitest.close();
  return found;
}

/**
 * Tests write thousands of small files and wait for each to be on the disk. In a file system in memory, where there is one with
 * room, that costs nothing. A TMPDIR of the caller stands.
 */
function useMemoryFolder() {
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return;
  try {
    const { bavail, bsize, type } = statfsSync("/dev/shm");
    if (type !== tmpfs || bavail * bsize < roomMin) return;
    const folder = mkdtempSync(join("/dev/shm", "ralph-test-"));
    process.env.TMPDIR = folder;
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  } catch {
    // There is none, or nobody may write there.
  }
}
