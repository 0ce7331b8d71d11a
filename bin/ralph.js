#!/usr/bin/env node
// Must parse on any Node, even 8: no `import()`, no optional chaining, no object spread in this file.
"use strict";

const path = require("path");

const root = path.dirname(__dirname);
const command = process.argv[2];

if (command === "--version" || command === "-v") {
  process.stdout.write(require("../package.json").version + "\n");
} else if (command === "hook") {
  runHook();
} else if (isRecentNode()) {
  startProgram();
} else {
  startOnPinnedNode();
}

/** A hook never re-executes: hosts call it often, and its bundle runs on Node 18 and newer. */
function runHook() {
  const bundle = path.join(root, "dist", "hook.cjs");
  if (!require("fs").existsSync(bundle)) return refuse("dist/hook.cjs is missing: " + remedy());
  process.argv.splice(2, 1);
  require(bundle);
}

/** Type stripping, `node:sqlite` without a flag and `require` of ES modules came with 22.18 or before. */
function isRecentNode() {
  const parts = process.versions.node.split(".").map(Number);
  return parts[0] > 22 || (parts[0] === 22 && parts[1] >= 18);
}

/** Alone, and of the width that the build wrote it down with. */
function isHelp() {
  if (process.argv.length !== 3 || (command !== "--help" && command !== "-h")) return false;
  return !process.stdout.isTTY || process.stdout.columns === 80;
}

function startProgram() {
  const help = path.join(root, "dist", "help.cjs");
  if (isHelp() && require("fs").existsSync(help)) return require(help);
  if (!require("fs").existsSync(path.join(root, "dist", "cli", "main.cjs"))) {
    return refuse("dist/cli/main.cjs is missing: " + remedy());
  }
  const start = require("./start.js");
  start();
}

function startOnPinnedNode() {
  const pinned = path.join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  const isSecondTry = process.env.RALPH_LAUNCHED !== undefined;
  if (isSecondTry || !require("fs").existsSync(pinned)) {
    const further = isCheckout() ? ", or run `npm ci` in " + root : "";
    return refuse(
      "it needs Node 22.18 or newer, and this is " + process.version + ": install a newer Node" + further + ".",
    );
  }
  const child = require("child_process").spawn(pinned, [__filename].concat(process.argv.slice(2)), {
    // The channel carries no messages. When the launcher dies by SIGKILL it closes, and start.js takes that for a SIGHUP.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: Object.assign({}, process.env, { RALPH_LAUNCHED: "1" }),
  });
  // A Ctrl-C reaches the program from the terminal too: it counts equal signals within 300 ms once.
  ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"].forEach((signal) => process.on(signal, () => child.kill(signal)));
  child.on("error", (error) => refuse(pinned + " cannot be started: " + error.message + "."));
  child.on("exit", (code, signal) => process.exit(signal ? 128 + require("os").constants.signals[signal] : code));
}

/** An installed copy has no scripts to run. */
function isCheckout() {
  return require("fs").existsSync(path.join(root, "scripts", "setup.js"));
}

function remedy() {
  return isCheckout() ? "run `npm run build` in " + root + "." : "install ralph again.";
}

function refuse(sentence) {
  process.stderr.write("ralph cannot start: " + sentence + "\n");
  process.exitCode = 2;
}
