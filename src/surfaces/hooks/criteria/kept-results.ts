import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { CommandCache } from "../../../shell/checks/command-cache.ts";
import type { FoundFacts } from "../../../shell/checks/found.ts";
import { readTextFile, textBytesMax } from "../../../shell/read-text-file.ts";

/** Results kept of one session; its criteria have fewer commands. */
const entriesMax = 100;

/** What commands found, kept over the processes of one session: on an unchanged tree nothing is run again. */
export function openResults(path: string): CommandCache {
  return {
    find: (key) => readResults(path).find(([name]) => name === nameOf(key))?.[1] ?? null,
    keep(key, facts) {
      const others = readResults(path).filter(([name]) => name !== nameOf(key));
      writeResults(path, [...others, [nameOf(key), facts] as const].slice(-entriesMax));
    },
  };
}

type Entry = readonly [name: string, facts: FoundFacts];

/** A key holds the whole environment, which must not lie in a file. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The file lies outside of the agent's reach; one that cannot be read remembers nothing. */
function readResults(path: string): readonly Entry[] {
  try {
    const value: unknown = JSON.parse(readTextFile(path, { bytesMax: textBytesMax, links: "refuse" }) ?? "[]");
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const facts: unknown = value[1];
  if (typeof facts !== "object" || facts === null) return false;
  const { isPassed, reason, output } = { isPassed: null, reason: null, output: null, ...facts };
  return typeof isPassed === "boolean" && typeof reason === "string" && typeof output === "string";
}

function writeResults(path: string, entries: readonly Entry[]): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(entries), { flag: "w", mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // The next stop verifies again.
  }
}
