import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";

/**
 * Writes a file of a copy by its path from the top. Nothing is written through a link: one in the way is removed first, and so is
 * a file in the place of a folder. `new`: nothing may stand there yet.
 */
export function writeInside(
  folder: string,
  path: string,
  content: string | Uint8Array,
  manner: "new" | "replace",
): void {
  makeFolders(folder, namesOf(path).slice(0, -1));
  const file = join(folder, path);
  const former = kindOf(file);
  if (manner === "new" && former !== null) return;
  // The mode of a program stays.
  const mode = former === "other" ? lstatSync(file).mode & 0o777 : 0o644;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content, { flag: "wx", mode });
}

/** Makes a folder of a copy by its path from the top, in the same manner. */
export function makeInside(folder: string, path: string): void {
  makeFolders(folder, namesOf(path));
}

function namesOf(path: string): string[] {
  const names = path.split("/");
  const isPlain = names.every((name) => name !== "" && name !== "." && name !== ".." && name !== ".git");
  if (isPlain) return names;
  throw new RalphError("file", `${path} is not a path inside of the project.`, "Name it from the top of the project.");
}

function makeFolders(folder: string, names: readonly string[]): void {
  let parent = folder;
  for (const name of names) {
    parent = join(parent, name);
    const kind = kindOf(parent);
    if (kind === "other") rmSync(parent, { force: true });
    if (kind !== "folder") mkdirSync(parent, { mode: 0o755 });
  }
}

function kindOf(path: string): "folder" | "other" | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return stat.isDirectory() ? "folder" : "other";
}
