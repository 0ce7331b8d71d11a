import { homedir } from "node:os";
import { takeUnseenNotes } from "../shell/stores/seen-notes.ts";
import { stateFolder } from "../shell/stores/state-folder.ts";

/** What a user of an earlier version has not been told yet, one sentence or two each. Returned once. Never throws. */
export function takeUpgradeNotes(env: Readonly<Record<string, string | undefined>>): string[] {
  const folder = folderOf(env);
  return folder === null ? [] : takeUnseenNotes(folder).map(({ text }) => text);
}

/** Null for a wrong RALPH_STATE_HOME: the command itself refuses that. */
function folderOf(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    return stateFolder(env, process.platform, homedir());
  } catch {
    return null;
  }
}
