import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { RalphError } from "../../core/ralph-error.ts";
import { checkSlug } from "../../core/text/slug.ts";
import { type HeldOutEntry, readHeldOut } from "../../core/verification/sealed/read-held-out.ts";
import { isInside } from "../seal/namespace/namespace.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import type { Disk } from "../ports.ts";
import { userSettingsPath } from "../settings/settings-files.ts";

/** Where the held-out checks of a project lie: beside the user's settings, in a file named by the project. Null without a home. */
export function heldOutPath(env: Readonly<Record<string, string | undefined>>, projectDir: string): string | null {
  const settings = userSettingsPath(env, process.platform);
  if (settings === null) return null;
  const project = realpathSync(projectDir);
  const key = `${checkSlug(basename(project))}-${createHash("sha256").update(project).digest("hex").slice(0, 12)}`;
  return join(dirname(settings), "held-out", `${key}.yaml`);
}

/** A list of a hundred checks with a page of text each stays far below it. */
const fileBytesMax = 4 * 1024 * 1024;

/** Reads held-out checks; empty when there is no such file. Rejects when others may read it, or it lies in the project. */
export function readHeldOutFile(path: string, projectDir: string): HeldOutEntry[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  requireOutside(path, projectDir);
  if ((stat.mode & 0o077) !== 0)
    throw new RalphError("settings", `Others may read the held-out checks in ${path}.`, `Type: chmod 600 ${path}`);
  const read = readHeldOut(parseYaml(readTextFile(path, { bytesMax: fileBytesMax, links: "refuse" }) ?? "", path));
  if ("checks" in read) return read.checks;
  throw new RalphError("settings", `${path}: ${read.problems.join(" ")}`, "Correct the file.");
}

/** Keeps held-out checks for their owner alone. */
export async function writeHeldOutFile(disk: Disk, path: string, checks: readonly HeldOutEntry[]): Promise<void> {
  const entries = checks.map(({ name, command, files, hint, tasks }) => ({
    name,
    command,
    ...(files.length === 0 ? {} : { files }),
    ...(hint === null ? {} : { hint }),
    ...(tasks.length === 0 ? {} : { tasks }),
  }));
  await disk.writeAtomic(path, stringify(entries), 0o600);
}

/** What lies in the project can be read by the agent. */
export function requireOutside(path: string, projectDir: string): void {
  if (!isInside(realpathSync(path), realpathSync(projectDir))) return;
  throw new RalphError(
    "settings",
    `${path} lies in the project, where the agent reads it: a held-out check must not.`,
    "Move it out of the project.",
  );
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new RalphError("settings", `${path} cannot be read: ${problem}`, "Correct the file.");
  }
}
