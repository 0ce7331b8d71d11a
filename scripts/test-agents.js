// Loops the real agent programs against a scripted model on loopback. Words choose agents: `npm run test:agents -- claude`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { takeShare } from "./share.ts";
import { readResults } from "./test-results.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installTimeoutMs = 10 * 60_000;

/** The versions whose behaviour the adapters were written for; a newer one is tried by changing its number here. */
const agents = [
  { name: "claude", package: "@anthropic-ai/claude-code", version: "2.1.325" },
  { name: "codex", package: "@openai/codex", version: "0.166.0" },
  { name: "opencode", package: "opencode-ai", version: "1.18.33" },
  { name: "gemini", package: "@google/gemini-cli", version: "0.61.0" },
  { name: "copilot", package: "@github/copilot", version: "1.0.102" },
];

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  /** `K/N`: every Nth agent, beginning with the Kth. */
  options: { share: { type: "string", default: "1/1" } },
});
const chosen = takeShare(chooseAgents(), values.share);
const programs = chosen.map((agent) => ({ agent, program: install(agent) }));
const notInstalled = programs.filter(({ program }) => program === null);
const results = await runTests(programs.filter(({ program }) => program !== null));
const failed = results.failed + notInstalled.length;

for (const name of results.skippedNames) console.log(`skipped: ${name}`);
for (const { agent } of notInstalled)
  console.log(`failed: ${agent.name} ${agent.version} could not be installed, see above`);
console.log(`${results.passed} passed, ${failed} failed, ${results.skippedNames.length} skipped`);
process.exit(failed > 0 || (results.passed === 0 && chosen.length > 0) ? 1 : 0);

function chooseAgents() {
  const unknown = names.filter((name) => !agents.some((agent) => agent.name === name));
  if (unknown.length === 0) return names.length === 0 ? agents : agents.filter((agent) => names.includes(agent.name));
  console.error(`no such agent: ${unknown.join(", ")}; choose of ${agents.map((agent) => agent.name).join(", ")}`);
  process.exit(2);
}

/** The path of the agent's program, or null when npm failed. */
function install(agent) {
  const folder = join(root, ".cache", "agents", `${agent.name}-${agent.version}`);
  const program = join(folder, "node_modules", ".bin", agent.name);
  // Written last, so an installation that was broken off is done again.
  const stamp = join(folder, "installed");
  if (existsSync(stamp) && existsSync(program)) {
    console.log(`${agent.name} ${agent.version}: already in ${relative(root, folder)}`);
    return program;
  }
  console.log(`${agent.name} ${agent.version}: installing into ${relative(root, folder)} (about 400 MB) …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(agent), null, 2)}\n`);
  const startedAt = Date.now();
  const problem = runNpmInstall(folder) ?? (existsSync(program) ? null : `npm left no ${relative(root, program)}`);
  if (problem !== null) {
    console.log(`${agent.name} ${agent.version}: not installed: ${problem}`);
    return null;
  }
  writeFileSync(stamp, "");
  console.log(`${agent.name} ${agent.version}: installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  return program;
}

/** The install scripts only link the program for this platform; newer versions of npm run none that is not allowed. */
function manifestOf(agent) {
  return {
    private: true,
    dependencies: { [agent.package]: agent.version },
    allowScripts: { [agent.package]: true },
  };
}

/** What npm complained about, or null. */
function runNpmInstall(folder) {
  const words = ["install", "--prefix", folder, "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const ended = spawnSync("npm", words, {
    cwd: folder,
    encoding: "utf8",
    timeout: installTimeoutMs,
    shell: process.platform === "win32",
  });
  if (ended.status === 0) return null;
  const why = ended.error?.message ?? ended.signal ?? `npm ended with exit code ${ended.status}`;
  return `${why}\n${ended.stdout ?? ""}${ended.stderr ?? ""}`.trim();
}

async function runTests(installed) {
  if (installed.length === 0) return { passed: 0, failed: 0, skippedNames: [] };
  process.env.RALPH_TEST_AGENTS = JSON.stringify(
    Object.fromEntries(installed.map(({ agent, program }) => [agent.name, program])),
  );
  const vitest = await startVitest("test", ["tests/agents/"], { root, run: true, watch: false });
  const found = readResults(vitest, { isNamePatternGiven: false });
  await vitest.close();
  return found;
}
