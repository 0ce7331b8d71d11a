// Installs the Nodes that the hooks and the packed program are tested on, 150 MB each. Without them those tests are skipped by name.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOldNode, oldestProgramNode, oldNodeFolder, oldNodePackage, oldNodeVersions } from "./old-nodes.ts";

const installTimeoutMs = 5 * 60_000;

const versions = [...oldNodeVersions, oldestProgramNode];
const missing = versions.filter((version) => !isUsable(version)).filter((version) => !install(version));
for (const version of missing) console.error(`Node ${version} could not be installed, see above`);
process.exit(missing.length > 0 ? 1 : 0);

/** An installation that was broken off has a program that does not start. */
function isUsable(version) {
  const program = findOldNode(version);
  if (program === null) return false;
  return spawnSync(program, ["--version"], { encoding: "utf8" }).stdout?.trim() === `v${version}`;
}

function install(version) {
  const folder = oldNodeFolder(version);
  mkdirSync(folder, { recursive: true });
  // A manifest of its own: npm would else install into the project above it.
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
  console.error(`installing Node ${version} …`);
  const words = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const ended = spawnSync("npm", [...words, "--prefix", folder, `${oldNodePackage()}@${version}`], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    timeout: installTimeoutMs,
    shell: process.platform === "win32",
  });
  return ended.status === 0 && isUsable(version);
}
