import { join } from "node:path";
import { readSharedText } from "../lib/read-shared-text.ts";
import type { SharedFiles } from "../ports.ts";
import type { Repository } from "./repository.ts";

/** Entries looked at; a repository with more has been packed long ago. */
const entriesMax = 200_000;

/**
 * Parts of a repository whose content lies elsewhere: links in the place of references and objects, and folders of other
 * objects. Git follows them like its own.
 */
export function partsElsewhere(disk: SharedFiles, { gitDir, commonDir }: Repository): string[] {
  const found: string[] = [];
  let entries = 0;
  const look = (path: string): void => {
    const kind = disk.look(path)?.kind;
    if (kind === "other") found.push(path);
    if (kind === "folder") walk(path);
  };
  const walk = (folder: string): void => {
    for (const { name, kind } of disk.list(folder) ?? []) {
      entries += 1;
      if (entries > entriesMax) return;
      const path = join(folder, name);
      if (kind === "other") found.push(path);
      if (kind === "folder") walk(path);
    }
  };
  const places = [
    join(gitDir, "HEAD"),
    ...["HEAD", "packed-refs", "refs", "objects"].map((name) => join(commonDir, name)),
  ];
  for (const path of new Set(places)) look(path);
  if (entries > entriesMax) found.push(`${commonDir} with more than ${entriesMax} files`);
  return [...found, ...alternatesOf(disk, commonDir)];
}

function alternatesOf(disk: SharedFiles, commonDir: string): string[] {
  const file = join(commonDir, "objects/info/alternates");
  return read(disk, file)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => `${line} in ${file}`);
}

function read(disk: SharedFiles, file: string): string {
  try {
    return readSharedText(file, disk) ?? "";
  } catch {
    // A pipe or a flood. A link among the objects is found by the walk.
    return "unreadable";
  }
}
