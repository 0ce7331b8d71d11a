import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readMember, setMember } from "./edit-json.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { Disk } from "../ports.ts";
import { hashOf, type InstallRecord, readRecord, removeEmptyFolder, writeRecord } from "./install-record.ts";
import { keepAside } from "./keep-aside.ts";
import type { PlannedMember, PluginPlan } from "./plugin-host.ts";
import { readFile, readSettings, rewrite } from "./shared-settings.ts";

/** What an installation did, for people. */
export type PluginChange = { path: string; did: "written" | "changed" | "removed" | "kept" | "unchanged" };

/** Installs what is planned. Everything is looked at before anything is changed; done twice, the second time does nothing. */
export async function installPlugin(
  disk: Disk,
  { plan, record: recordFile, guard }: { plan: PluginPlan; record: string; guard: InstallRecord["guard"] },
): Promise<PluginChange[]> {
  const before = readRecord(recordFile);
  const files = plan.files.map((file) => ({ ...file, found: readFile(file.path) }));
  for (const { path, content, found } of files) refuseForeign(plan, before, { path, content, found });
  const settings = editSettings(plan.members, before);
  const dropped = Object.keys(before?.files ?? {}).filter((path) => !files.some((file) => file.path === path));
  await writeRecord(disk, recordFile, nextRecord({ plan, before, guard, members: settings.members }));
  const changes: PluginChange[] = [];
  for (const { path, content, found } of files) {
    const isEdited = found !== null && found !== content && before?.files[path] !== hashOf(found) && before !== null;
    if (isEdited) changes.push(keepAside(path));
    if (found !== content) await write(disk, path, content);
    changes.push({ path, did: found === content ? "unchanged" : "written" });
  }
  for (const path of dropped) {
    rmSync(path, { force: true });
    removeEmptyFolder(dirname(path));
    changes.push({ path, did: "removed" });
  }
  for (const { path, text, did } of settings.files) {
    if (did !== "unchanged") await write(disk, path, text);
    changes.push({ path, did });
  }
  return changes;
}

function refuseForeign(
  { mark }: PluginPlan,
  before: InstallRecord | null,
  { path, content, found }: { path: string; content: string; found: string | null },
): void {
  const isOurs = before?.files[path] !== undefined || readFile(mark.path)?.includes(mark.text) === true;
  if (found === null || found === content || isOurs) return;
  throw new RalphError(
    "conflict",
    `${path} is there already and is not ours, so nothing was changed.`,
    "Move it away, then try again.",
  );
}

type EditedFile = PluginChange & { text: string };

/** The new texts of all settings, and what each member needs to be undone. */
function editSettings(
  members: readonly PlannedMember[],
  before: InstallRecord | null,
): { files: EditedFile[]; members: InstallRecord["members"] } {
  const texts = new Map<string, string>();
  const noted = members.map(({ path, keys, value }) => {
    const known = before?.members.find((each) => each.path === path && isDeepStrictEqual(each.keys, keys));
    const found = texts.get(path) ?? readSettings(path);
    const text = found ?? "{}\n";
    const there = readMember(text, keys);
    const isForeign = typeof there === "object" && there !== null && known === undefined;
    const edited = isForeign && !isDeepStrictEqual(there, value) ? null : setMember(text, keys, value);
    if (edited === null)
      throw new RalphError(
        "conflict",
        `${path} has another ${keys.join(".")} already, so nothing was changed.`,
        "Remove it there, then try again.",
      );
    texts.set(path, isDeepStrictEqual(there, value) ? text : edited);
    const missing = keys.findIndex(
      (_, index) => readMember(text, [keys[0], ...keys.slice(1, index + 1)]) === undefined,
    );
    const madeObjects = missing < 0 ? 0 : keys.length - 1 - missing;
    return known ?? { path, keys, madeObjects, isFileMade: readFile(path) === null };
  });
  const files = [...texts].map(([path, text]) => ({ path, text, did: changeOf(path, text) }));
  return { files, members: noted };
}

function changeOf(path: string, text: string): PluginChange["did"] {
  const found = readFile(path);
  if (found === null) return "written";
  return found === text ? "unchanged" : "changed";
}

function nextRecord(given: {
  plan: PluginPlan;
  before: InstallRecord | null;
  guard: InstallRecord["guard"];
  members: InstallRecord["members"];
}): InstallRecord {
  const { plan, before, guard, members } = given;
  const targets = [...plan.files, ...plan.members].map(({ path }) => dirname(path));
  const made = [...new Set(targets.flatMap(missingFolders))].filter((path) => before?.folders.includes(path) !== true);
  return {
    version: 1,
    guard,
    files: Object.fromEntries(plan.files.map(({ path, content }) => [path, hashOf(content)])),
    members,
    folders: [...(before?.folders ?? []), ...made].toSorted((one, other) => one.length - other.length),
  };
}

/** The folders above a file that are not there yet. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) || folder === dirname(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

async function write(disk: Disk, path: string, content: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await rewrite(disk, path, content);
}
