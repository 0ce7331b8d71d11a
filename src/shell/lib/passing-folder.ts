import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMakerDead, makerTag } from "./maker-tag.ts";
import { removeTree } from "./remove-tree.ts";

/** What such a folder is for. */
export type Passing = "git" | "pipes" | "answers" | "seal" | "verify";

const swept = new Set<string>();

/**
 * Makes a folder for this process alone in the temporary directory. The caller removes it; what a killed process left is
 * removed by the next one that makes a folder.
 */
export function makePassingFolder(purpose: Passing, parent: string = tmpdir()): string {
  if (!swept.has(parent)) removeLeft(parent);
  swept.add(parent);
  return mkdtempSync(join(parent, `ralph-${purpose}-${makerTag()}-`));
}

function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, tag] = /^ralph-(?:git|pipes|answers|seal|verify)-(\d+\.[0-9a-f]+)-/.exec(name) ?? [];
    if (tag === undefined || !isMakerDead(tag)) continue;
    try {
      removeTree(join(parent, name));
    } catch {
      // It belongs to another user, whose next run removes it.
    }
  }
}
