"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

/**
 * Loads the program with what V8 made of it at earlier starts. Node's own compile cache keeps what V8 makes of a file before it
 * runs, which is hardly any function; this keeps the functions that a command called, and saves a quarter of its CPU time.
 * What is kept runs as code, so its folder is as safe as the program itself: beside it, only if both belong to the user who
 * starts it, and closed to everybody else. Without such a folder the same files are loaded as usual.
 */
module.exports = function loadProgram(dist, command = "") {
  const cli = path.join(dist, "cli");
  const folder = keptFolder(dist);
  if (folder === null) return void require(path.join(cli, "main.cjs"));
  const file = path.join(folder, /^[a-z]{1,20}$/.test(command) ? command : "other");
  const kept = readKept(file);
  const parts = createLoader(cli, kept.parts);
  keepSoon(() => {
    if (kept.starts < startsMax || parts.isMore()) writeKept(file, kept.starts + 1, parts.scripts);
  });
  parts.load("main.cjs");
};

/** Each of the first starts of a command may call functions that those before it did not. */
const startsMax = 8;

/** Null where nothing may be kept. `NODE_DISABLE_COMPILE_CACHE=1`, as for Node's own, switches it off. */
function keptFolder(dist) {
  if (process.getuid === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return null;
  const folder = path.join(dist, ".compiled");
  const user = process.getuid();
  try {
    if (fs.lstatSync(dist).uid !== user) return null;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = fs.lstatSync(folder);
    if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0) return null;
    const own = path.join(folder, `${process.version}-${process.arch}`);
    fs.mkdirSync(own, { recursive: true, mode: 0o700 });
    return own;
  } catch {
    // A disk that is full or cannot be written: the program is compiled at each start.
    return null;
  }
}

function createLoader(cli, kept) {
  const exported = new Map();
  const scripts = new Map();
  let isMore = false;
  const load = (name) => {
    if (!exported.has(name)) run(name);
    return exported.get(name).exports;
  };
  const run = (name) => {
    const file = path.join(cli, name);
    const text = fs.readFileSync(file, "latin1");
    const key = `${name} ${hashOf(text)}`;
    const cachedData = kept.get(key);
    const source = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
    const script = new vm.Script(source, { filename: file, cachedData });
    // A part that is loaded late, when the flags of V8 are others, may be refused at every start.
    isMore ||= cachedData === undefined || (name === "main.cjs" && script.cachedDataRejected === true);
    scripts.set(key, script);
    const module = { exports: {} };
    exported.set(name, module);
    const requirePart = (asked) => (asked.startsWith("./") ? load(asked.slice(2)) : require(asked));
    script.runInThisContext()(module.exports, requirePart, module, file, cli);
  };
  return { load, scripts, isMore: () => isMore };
}

/** The build writes it into the first line: V8 compares only the length of a text with that of the one it compiled. */
function hashOf(text) {
  const [, hash] = /^\/\/([0-9a-f]{32})\n/.exec(text) || [];
  if (hash === undefined) throw new Error("a part of the program does not say its hash: " + text.slice(0, 40));
  return hash;
}

/** At the end of a short command, or when a long one has started: V8 forgets functions that are not called for a while. */
function keepSoon(keep) {
  let isDone = false;
  const keepOnce = () => {
    if (isDone) return;
    isDone = true;
    try {
      keep();
    } catch {
      // The next start tries again.
    }
  };
  setTimeout(keepOnce, 5000).unref();
  process.on("exit", keepOnce);
}

/** V8 would end the process over damaged data, and a sum of it takes long: so it is stored twice, and the two are compared. */
function readKept(file) {
  const none = { starts: 0, parts: new Map() };
  try {
    const bytes = fs.readFileSync(file);
    const half = bytes.length / 2;
    if (!bytes.subarray(0, half).equals(bytes.subarray(half))) return none;
    let at = bytes.indexOf("\n") + 1;
    const { starts, sizes } = JSON.parse(bytes.toString("utf8", 0, at));
    const parts = new Map();
    for (const [key, size] of sizes) parts.set(key, bytes.subarray(at, (at += size)));
    return { starts, parts };
  } catch {
    return none;
  }
}

function writeKept(file, starts, scripts) {
  // V8 takes it only under the flags it was made with; a run changes this one, see keep-memory-flat.ts.
  const { setFlagsFromString } = require("v8");
  setFlagsFromString("--semi-space-growth-factor=2");
  const parts = Array.from(scripts, ([key, script]) => [key, script.createCachedData()]);
  setFlagsFromString("--semi-space-growth-factor=1");
  const sizes = parts.map(([key, data]) => [key, data.length]);
  const content = Buffer.concat([
    Buffer.from(`${JSON.stringify({ starts, sizes })}\n`),
    ...parts.map(([, data]) => data),
  ]);
  const passing = `${file}.${process.pid}`;
  fs.writeFileSync(passing, Buffer.concat([content, content]), { mode: 0o600 });
  fs.renameSync(passing, file);
}
