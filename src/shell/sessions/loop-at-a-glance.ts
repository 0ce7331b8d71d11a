import { join } from "node:path";
import { sessionVersion } from "../../core/session/session-record.ts";
import { isObject } from "../../core/text/is-object.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { statIfThere } from "../lib/stat-if-there.ts";
import { journalFileName, stateFileName, stateRules } from "./session-run-files.ts";

/**
 * Whether the folder of a session says at a glance that its loop is active. The guard asks this before every tool call, and to read
 * the whole record takes the engine, a third of the time of its hook. Only a yes counts: where the state is of another version, is
 * not the last word (its journal is longer or shorter), or is not understood, the store must be asked. The rest of the record is not
 * checked: the guard stays at work on a damaged one until the next stop sets it aside.
 */
export function isLoopAtAGlance(folder: string, sessionId: string): boolean {
  const state = readState(join(folder, stateFileName));
  if (state?.["version"] !== sessionVersion) return false;
  const { loop, run, journal } = state;
  if (!isObject(loop) || !isObject(run) || !isObject(run["policy"]) || !isObject(journal)) return false;
  if (loop["active"] !== true || loop["sessionId"] !== sessionId) return false;
  // A run that judges stops without a loop never has an active one.
  if (run["outcome"] !== null || run["policy"]["claimBy"] === "stop") return false;
  return journal["bytes"] === (statIfThere(join(folder, journalFileName))?.size ?? 0);
}

function readState(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readTextFile(path, stateRules) ?? "null");
    return isObject(value) ? { ...value } : null;
  } catch {
    // The store says what is wrong with it.
    return null;
  }
}
