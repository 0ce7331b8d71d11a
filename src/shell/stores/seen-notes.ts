import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type UpgradeNote, upgradeNotes } from "../../core/settings/upgrade-notes.ts";

/**
 * Returns the notes that this user has not been told, and remembers them: of two commands at the same time one gets each.
 * Returns none where no store is, for a new user has nothing to unlearn. Never throws: what cannot be remembered is not told.
 */
export function takeUnseenNotes(folder: string, notes: readonly UpgradeNote[] = upgradeNotes): UpgradeNote[] {
  try {
    if (statSync(join(folder, "ralph.db"), { throwIfNoEntry: false }) === undefined) return [];
    const seen = namesIn(seenFolder(folder));
    return notes.filter(({ id }) => !seen.includes(id) && remember(folder, id));
  } catch {
    return [];
  }
}

/** Remembers all notes before a store is created. Never throws: the new user would be told what does not matter, once. */
export function rememberNotes(folder: string, notes: readonly UpgradeNote[] = upgradeNotes): void {
  for (const { id } of notes) {
    try {
      remember(folder, id);
    } catch {
      return;
    }
  }
}

/** False when it was remembered before. */
function remember(folder: string, id: string): boolean {
  mkdirSync(seenFolder(folder), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(seenFolder(folder), id), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}

function seenFolder(folder: string): string {
  return join(folder, "seen-notes");
}
