// Everything that must hold: format, lint and types first, then every suite. With arguments only the tests they choose.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCLI, startVitest } from "vitest/node";
import { readResults } from "./test-results.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const isEverything = args.length === 0;

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
  const vitest = await startVitest("test", filter, { ...options, root, watch: false });
  const found = readResults(vitest, { isNamePatternGiven: options.testNamePattern !== undefined });
  await vitest.close();
  return found;
}
