import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readBytesFile } from "../../lib/read-text-file.ts";
import { isInside } from "../namespace/namespace.ts";

/** A start script has a few lines. */
const scriptBytesMax = 1024 * 1024;

/** Where a virtual environment stood. */
export type FormerFolder = { project: string; path: string };

/**
 * Lets a copied virtual environment work elsewhere: its scripts start the Python beside them, and folders of the project that it
 * adds to the path are found from where it is. Another folder stays as it is.
 */
export function makeMovable(folder: string, { project, path }: FormerFolder): void {
  if (lstatSync(join(folder, "pyvenv.cfg"), { throwIfNoEntry: false }) === undefined) return;
  const former = join(project, path);
  for (const file of filesIn(join(folder, "bin"))) {
    rewrite(file, (text) => {
      const [line = "", program = "", name = ""] = /^#!(\S+\/(python[\w.]*))[^\n]*\n/.exec(text) ?? [];
      if (program !== `${former}/bin/${name}`) return null;
      // A text for sh that Python reads as a string.
      return `#!/bin/sh\n'''exec' "$(dirname -- "$0")/${name}" "$0" "$@"\n' '''\n${text.slice(line.length)}`;
    });
  }
  for (const library of filesIn(join(folder, "lib"))) {
    const packages = join(library, "site-packages");
    for (const file of filesIn(packages).filter((each) => each.endsWith(".pth"))) {
      const place = join(former, relative(folder, packages));
      rewrite(file, (text) => {
        const lines = text
          .split("\n")
          .map((line) =>
            isInside(line.trim(), project) && line.startsWith("/") ? relative(place, line.trim()) : line,
          );
        return lines.join("\n");
      });
    }
  }
}

function filesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function rewrite(file: string, change: (text: string) => string | null): void {
  const stat = lstatSync(file);
  if (!stat.isFile() || stat.size > scriptBytesMax) return;
  const text = readBytesFile(file, { bytesMax: scriptBytesMax, links: "refuse" })?.toString("latin1") ?? "";
  const next = change(text);
  if (next !== null && next !== text) writeFileSync(file, next, "latin1");
}
