import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** What such a folder is for. */
export type Passing = "git" | "pipes";

const swept = new Set<string>();

/**
 * Makes a folder for this process alone in the temporary directory. The caller removes it; what a killed process left is
 * removed by the next one that makes a folder.
 */
export function makePassingFolder(purpose: Passing, parent: string = tmpdir()): string {
  if (!swept.has(parent)) removeLeft(parent);
  swept.add(parent);
  return mkdtempSync(join(parent, `ralph-${purpose}-${process.pid}.${here()}-`));
}

function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, place] = /^ralph-(?:git|pipes)-(\d+)\.([0-9a-f]+)-/.exec(name) ?? [];
    if (pid === undefined || place !== here() || isThere(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, whose next run removes it.
    }
  }
}

/** Where a pid means something: containers may share a temporary directory, but not their processes. */
function here(): string {
  return createHash("sha256").update(`${hostname()} ${pidNamespace()}`).digest("hex").slice(0, 8);
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has them.
    return "";
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
