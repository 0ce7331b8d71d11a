import { compiledFolder } from "./compiled/compiled-files.ts";
import { partLoader } from "./compiled/load-part.ts";
import type * as Events from "./run-hook.ts";

/** The `require` of the bundle. */
declare const loadBuiltin: (name: string) => typeof Events;

const load = partLoader({
  folder: import.meta.dirname,
  compiled: compiledFolder(process.env),
  require: loadBuiltin,
});
const { runHook } = load("hook-events.cjs");
// Its answer is written: to take everything apart that it loaded takes Node as long as to load it.
void runHook(process.argv.slice(2)).then(() => process.exit());
