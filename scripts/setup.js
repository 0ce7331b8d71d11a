// Installs and builds what is stale. It runs on the system's own Node, before anything is installed: `node:` imports only.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./setup-lock.js";
import { buildStamp, installStamp, isFresh, stampFiles, writeStamp } from "./stamp.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = stampFiles(root);
const wantsBuild = !process.argv.includes("--install-only");

if (isInstallStale() || isBuildStale()) withLock(join(root, ".cache", "setup.lock"), setUp);

function setUp() {
  // Asked again under the lock: another setup may have done the work meanwhile.
  if (isInstallStale()) install();
  if (isBuildStale()) build();
}

function isInstallStale() {
  return !isFresh(stamps.install, installStamp(root));
}

function isBuildStale() {
  return wantsBuild && !isFresh(stamps.build, buildStamp(root));
}

function install() {
  const stamp = installStamp(root);
  say("installing dependencies with npm ci (about half a minute) …");
  // A NODE_ENV=production of the user must not leave out the tools.
  run("npm", ["ci", "--include=dev", "--prefer-offline", "--loglevel=error"], process.platform === "win32");
  writeStamp(stamps.install, stamp);
}

function build() {
  const pinned = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  say("building …");
  run(existsSync(pinned) ? pinned : process.execPath, [join(root, "scripts", "build.js")], false);
}

function run(program, args, shell) {
  const startedAt = Date.now();
  // Results belong to the script that follows: everything here goes to stderr.
  const ended = spawnSync(program, args, { cwd: root, shell, stdio: ["ignore", 2, 2] });
  if (ended.status === 0) return say(`done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  const why = ended.error ? ended.error.message : ended.signal || `exit code ${ended.status}`;
  say(`${program} ${args.join(" ")} failed: ${why}`);
  process.exit(ended.status || 1);
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}
