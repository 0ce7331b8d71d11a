import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMakerDead, makerTag } from "./maker-tag.ts";

/** What such a folder is for. */
export type Passing = "git" | "pipes" | "answers";

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
    const [, tag] = /^ralph-(?:git|pipes|answers)-(\d+\.[0-9a-f]+)-/.exec(name) ?? [];
    if (tag === undefined || !isMakerDead(tag)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, whose next run removes it.
    }
  }
}
