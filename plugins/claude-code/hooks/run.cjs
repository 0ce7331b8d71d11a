// Starts the hook that came with this plugin, else that of the `ralph` on PATH. Runs on Node 18 and newer, and never
// stops its host: without either it says so and ends with 1, which hosts take for "go on".
"use strict";

const { existsSync, realpathSync } = require("node:fs");
const path = require("node:path");

const bundle = findBundle();
if (bundle === undefined) {
  process.stderr.write(
    "The ralph plugin is not built: run `npm run build && npm link` in the clone of ralph it came from.\n",
  );
  process.exitCode = 1;
} else {
  require(bundle);
}

function findBundle() {
  const own = path.join(path.dirname(__dirname), "dist", "hook.cjs");
  // Not all places at once: a path has many folders, and this runs with every tool.
  return existsSync(own) ? own : [...installed()].find((file) => existsSync(file));
}

/** The bundle beside the program, which is a link to `bin/ralph.js` of its package. */
function* installed() {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const program = path.join(folder, "ralph");
    if (folder !== "" && existsSync(program)) yield bundleOf(program);
  }
}

function bundleOf(program) {
  return path.join(path.dirname(path.dirname(realpathSync(program))), "dist", "hook.cjs");
}
