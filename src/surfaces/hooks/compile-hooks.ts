import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Script } from "node:vm";
import { thrownText } from "../../core/text/thrown-text.ts";
import { sampleEvents } from "./claude/sample-events.ts";
import { compiledFolder, type PartKey, writeCompiled } from "./compiled/compiled-files.ts";
import { partLoader } from "./compiled/load-part.ts";
import type * as Events from "./run-hook.ts";

/** The `require` of the bundle. */
declare const loadBuiltin: (name: string) => typeof Events;

/**
 * Keeps what V8 makes of the parts of the hook for the Node that runs this. A sample session goes through every event first, in
 * folders of its own: V8 keeps only functions that were called. A person starts this, by `ralph plugin install`; a hook never
 * writes what it runs.
 */
async function compileHooks(): Promise<void> {
  const folder = compiledFolder(process.env);
  if (folder === null || process.getuid === undefined) return;
  const scripts = new Map<string, { key: PartKey; script: Script }>();
  const onCompiled = (key: PartKey, script: Script): void => void scripts.set(key.name, { key, script });
  const load = partLoader({ folder: import.meta.dirname, compiled: null, require: loadBuiltin, onCompiled });
  // V8 drops what it made of a function that was not called for a while, such as the one that holds a whole part.
  setFlagsFromString("--no-flush-bytecode");
  // Each event of the sample session listens for signals, as if it were a process of its own.
  process.setMaxListeners(0);
  const scratch = mkdtempSync(join(tmpdir(), "ralph-compile-"));
  try {
    // The hooks of the sample session must find nothing of the user, and leave nothing.
    for (const name of ["HOME", "TMPDIR", "RALPH_STATE_HOME"]) {
      process.env[name] = join(scratch, name);
      mkdirSync(join(scratch, name));
    }
    for (const name of ["RALPH_RUN_ID", "CLAUDE_PROJECT_DIR"]) delete process.env[name];
    const { answerHook } = load("hook-events.cjs");
    for (const { words, fields } of sampleEvents(scratch)) await answerHook(words, () => JSON.stringify(fields));
    // Kept for this very set of flags.
    setFlagsFromString("--flush-bytecode");
    for (const { key, script } of scripts.values()) writeCompiled(folder, key, script.createCachedData());
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

compileHooks().catch((error: unknown) => {
  process.stderr.write(`The hooks could not be compiled: ${thrownText(error)}\n`);
  process.exitCode = 1;
});
