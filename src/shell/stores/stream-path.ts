import { join } from "node:path";
import { assert } from "../../core/assert.ts";

/** Where the raw stream of a turn is kept; a long one has further files that begin with this path. */
export function streamPath(folder: string, runId: string, effectId: number): string {
  assert(/^[\w-]+$/.test(runId), `"${runId}" can be the name of a folder`);
  return join(streamsFolder(folder), runId, `turn-${effectId}.log`);
}

/** Where the words of an iteration's turn are kept for who judges them, head and tail. */
export function turnTextPath(folder: string, runId: string, iteration: number): string {
  assert(/^[\w-]+$/.test(runId), `"${runId}" can be the name of a folder`);
  return join(streamsFolder(folder), runId, `text-${iteration}.txt`);
}

/** The folder with one folder of raw streams per run; pruned together with the run. */
export function streamsFolder(folder: string): string {
  return join(folder, "streams");
}
