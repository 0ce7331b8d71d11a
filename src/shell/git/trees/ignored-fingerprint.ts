import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type LookContext, withStore } from "./look.ts";

/** Looking at more files than this takes longer than most checks save. */
const filesMax = 50_000;
const namesBytesMax = 16 * 1024 * 1024;

/**
 * A text that differs when files that git ignores differ: installed packages, builds, local settings. Checks read them
 * though no commit shows them. Null when it cannot be told: outside git, with too many files, or when the signal came.
 */
export async function ignoredFingerprint(context: LookContext, signal: AbortSignal): Promise<string | null> {
  const directory = context.frozen.projectDir;
  const names = await ignoredFiles(context, signal);
  if (names === null || names.length > filesMax) return null;
  const hash = createHash("sha256");
  for (let at = 0; at < names.length; at += batchSize) {
    const lines = await Promise.all(names.slice(at, at + batchSize).map((name) => factsOf(directory, name)));
    hash.update(lines.join("\n"));
  }
  return hash.digest("hex");
}

/** Files looked at side by side. */
const batchSize = 64;

async function factsOf(directory: string, name: string): Promise<string> {
  const facts = await lstat(join(directory, name)).catch(() => null);
  // The time of the last change of a file's facts cannot be set back, unlike that of its content.
  return `${name} ${facts?.ino} ${facts?.size} ${facts?.mtimeMs} ${facts?.ctimeMs}`;
}

async function ignoredFiles(context: LookContext, signal: AbortSignal): Promise<string[] | null> {
  const words = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", ".", ":!.ralph"];
  const caller = { turnMarker: `${context.runId}.ignored/${process.pid}`, signal };
  return withStore(context, caller, async ({ git, store }) => {
    const env = { ...store.env, GIT_INDEX_FILE: join(store.start.repository.gitDir, "index") };
    const end = await git(words, { env, stdoutBytesMax: namesBytesMax });
    return end.exitCode === 0 && end.isWhole ? end.stdout.split("\0").filter((name) => name !== "") : null;
  }).catch(() => null);
}
