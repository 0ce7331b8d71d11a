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
  const names = path.split("/");
  const isPlain = names.every((name) => name !== "" && name !== "." && name !== ".." && name !== ".git");
  if (!isPlain)
    throw new RalphError(
      "file",
      `${path} is not a path inside of the project.`,
      "Name it from the top of the project.",
    );
  let parent = folder;
  for (const name of names.slice(0, -1)) {
    parent = join(parent, name);
    const kind = kindOf(parent);
    if (kind === "other") rmSync(parent, { force: true });
    if (kind !== "folder") mkdirSync(parent, { mode: 0o755 });
  }
  const file = join(folder, path);
  const former = kindOf(file);
  if (manner === "new" && former !== null) return;
  // The mode of a program stays.
  const mode = former === "other" ? lstatSync(file).mode & 0o777 : 0o644;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content, { flag: "wx", mode });
}

function kindOf(path: string): "folder" | "other" | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return stat.isDirectory() ? "folder" : "other";
}
