import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { readMember } from "./edit-json.ts";
import type { Disk } from "../ports.ts";
import { hashOf, type InstallRecord, readRecord, removeEmptyFolder, removeRecord } from "./install-record.ts";
import type { PluginChange } from "./install-plugin.ts";
import { keepAside } from "./keep-aside.ts";
import type { PluginPlan } from "./plugin-host.ts";
import { readFile, readSettings, rewrite, withoutMember } from "./shared-settings.ts";

/**
 * Undoes an installation: our files, our members, and the folders that were made for them. Without a record, as after an
 * installation on another machine, what bears our mark is ours. Settings that cannot be read are refused first.
 */
export async function uninstallPlugin(
  disk: Disk,
  { plan, record: recordFile }: { plan: PluginPlan; record: string },
): Promise<PluginChange[]> {
  const record = readRecord(recordFile) ?? recordOf(plan);
  if (record === null) return [];
  const edits = editsOf(record, plan);
  const changes: PluginChange[] = [];
  for (const [path, hash] of Object.entries(record.files)) {
    const found = readFile(path);
    if (found === null) continue;
    if (hashOf(found) !== hash) changes.push(keepAside(path));
    else {
      rmSync(path);
      changes.push({ path, did: "removed" });
    }
  }
  for (const { path, text, isFileMade } of edits) {
    const isEmpty = isFileMade && text.trim() === "{}";
    if (isEmpty) rmSync(path);
    else await rewrite(disk, path, text);
    changes.push({ path, did: isEmpty ? "removed" : "changed" });
  }
  for (const folder of record.folders.toReversed()) removeEmptyFolder(folder);
  removeRecord(recordFile);
  return changes;
}

/** What an installation without a record must have written; null without an installation. */
function recordOf(plan: PluginPlan): InstallRecord | null {
  if (readFile(plan.mark.path)?.includes(plan.mark.text) !== true) return null;
  const members = plan.members.map(({ path, keys }) => ({
    path,
    keys,
    madeObjects: keys.length - 1,
    isFileMade: false,
  }));
  // Of another version or not: what lies there under our names is ours.
  const files = plan.files.map(({ path }): [string, string] => [path, hashOf(readFile(path) ?? "")]);
  const folders = [...new Set(plan.files.flatMap(({ path }) => foldersTo(plan.place, path)))];
  return {
    version: 1,
    guard: "in-loops",
    files: Object.fromEntries(files),
    members,
    folders: folders.toSorted((one, other) => one.length - other.length),
  };
}

/** The folders from a place down to a file in it; those that are empty in the end are of no use to anybody. */
function foldersTo(place: string, path: string): string[] {
  const folder = dirname(path);
  return folder.length <= place.length ? [place] : [...foldersTo(place, folder), folder];
}

type Edit = { path: string; text: string; isFileMade: boolean };

/** The settings without our members. What the host wrote of us goes only where it is still about us. */
function editsOf(record: InstallRecord, plan: PluginPlan): Edit[] {
  const traces = plan.traces
    .filter(({ path, keys, isOurs }) => isOurs(readMember(readFile(path) ?? "", keys)))
    .map(({ path, keys }) => ({ path, keys, madeObjects: 0, isFileMade: false }));
  const edits = new Map<string, Edit>();
  for (const { path, keys, madeObjects, isFileMade } of [...record.members.toReversed(), ...traces]) {
    const text = edits.get(path)?.text ?? readSettings(path);
    if (text === null) continue;
    const isMade = isFileMade || edits.get(path)?.isFileMade === true;
    edits.set(path, { path, text: withoutMember(text, keys, madeObjects), isFileMade: isMade });
  }
  return [...edits.values()].filter(({ path, text }) => readFile(path) !== text);
}
