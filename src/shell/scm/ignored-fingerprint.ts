import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";

/** Looking at more files than this takes longer than most checks save. */
const filesMax = 50_000;
const namesBytesMax = 16 * 1024 * 1024;

/**
 * A text that differs when files that git ignores differ: installed packages, builds, local settings. Checks read them
 * though no commit shows them. Null when it cannot be told: outside git, or with too many files.
 */
export async function ignoredFingerprint(directory: string): Promise<string | null> {
  const names = await ignoredFiles(directory);
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

function ignoredFiles(directory: string): Promise<string[] | null> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", ".", ":!.ralph"];
  return new Promise((resolve) => {
    execFile("git", ["-C", directory, ...args], { maxBuffer: namesBytesMax }, (error, stdout) =>
      resolve(error === null ? stdout.split("\0").filter((name) => name !== "") : null),
    );
  });
}
