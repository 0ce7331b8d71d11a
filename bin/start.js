"use strict";

const path = require("path");
const loadProgram = require("./load-program.js");

/** Loads the program into this process. A file of its own, for an old Node cannot even parse what it loads. */
module.exports = function start() {
  dropSqliteWarning();
  followLauncher();
  try {
    loadProgram(path.join(__dirname, "..", "dist"), process.argv[2]);
  } catch (error) {
    process.stderr.write("ralph cannot start: " + ((error && error.stack) || error) + "\n");
    process.exit(2);
  }
};

/** Node 22 warns at each start that SQLite is experimental; every other warning goes its usual way. */
function dropSqliteWarning() {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    const isDropped =
      warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite is an experimental feature");
    if (isDropped) return;
    for (const listener of listeners) listener.call(process, warning);
  });
}

/**
 * Re-executed by a launcher on an older Node: when that dies without a word its channel closes, and the program gets
 * the SIGHUP it would have got from a closed terminal. The channel never keeps the program alive.
 */
function followLauncher() {
  if (process.env.RALPH_LAUNCHED === undefined) return;
  // Not for the agents: they would inherit it and may call ralph themselves.
  delete process.env.RALPH_LAUNCHED;
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGHUP"));
  process.channel.unref();
}
