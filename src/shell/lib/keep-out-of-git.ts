import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Disk } from "../ports.ts";
import { removeLeftTemporaries } from "./temporary-file.ts";

/** What git sees of `.ralph/`: the shared settings and the schema they name. */
export const ownIgnoreText = "*\n!settings.json\n!settings.schema.json\n!.gitignore\n";

/** What earlier versions wrote: it hid the schema. */
const formerIgnoreText = "*\n!settings.json\n!.gitignore\n";

/**
 * Puts a `.gitignore` into `.ralph/` before a run writes prompts, logs or answers there. One that is there stays.
 * Must not reject: what went wrong is returned for the journal.
 */
export async function keepOutOfGit(
  disk: Disk,
  { projectDir, settings, prd, policy }: FrozenRun,
): Promise<string | null> {
  const writes = policy.kind === "run" || settings.guardrails.length > 0 || settings.scm !== null || prd !== undefined;
  if (!writes) return null;
  try {
    await writeOwnIgnoreFile(disk, projectDir);
    return null;
  } catch (cause) {
    return `${projectDir}/.ralph/.gitignore could not be written: ${String(cause)}`;
  }
}

/** Writes `.ralph/.gitignore` unless there is one, and removes what another process left that was killed while it wrote. */
export async function writeOwnIgnoreFile(disk: Disk, projectDir: string): Promise<void> {
  const folder = `${projectDir}/.ralph`;
  const path = `${folder}/.gitignore`;
  if ((await disk.readText(path)) === null) return disk.writeAtomic(path, ownIgnoreText);
  // Role runs may write it side by side: the one that was killed need not be the last.
  removeLeftTemporaries(disk, folder);
}

/** The same, and replaces what an earlier version wrote. Not before a run: it changes a file that git may know. */
export async function renewOwnIgnoreFile(disk: Disk, projectDir: string): Promise<void> {
  const path = `${projectDir}/.ralph/.gitignore`;
  if ((await disk.readText(path)) === formerIgnoreText) await disk.writeAtomic(path, ownIgnoreText);
  await writeOwnIgnoreFile(disk, projectDir);
}
