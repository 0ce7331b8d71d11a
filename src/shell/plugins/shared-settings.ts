import { realpathSync, statSync } from "node:fs";
import { isJsonObject, type KeyPath, readMember, removeMember } from "./edit-json.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { Disk } from "../ports.ts";
import { readTextFile, textBytesMax } from "../lib/read-text-file.ts";

/** The present settings file of a host, or null. One that is not a JSON object is refused and stays. */
export function readSettings(path: string): string | null {
  const text = readFile(path);
  if (text === null || isJsonObject(text)) return text;
  throw new RalphError(
    "settings",
    `${path} is not a JSON object, so nothing was changed.`,
    "Correct it (comments are not JSON), then try again.",
  );
}

/** A file's text; null without a file. */
export function readFile(path: string): string | null {
  return readTextFile(path, { bytesMax: textBytesMax, links: "follow" });
}

/** Writes a file in place of what is there; a link stays a link, and the mode stays. */
export async function rewrite(disk: Disk, path: string, text: string): Promise<void> {
  const stat = statSync(path, { throwIfNoEntry: false });
  await disk
    .writeAtomic(
      stat === undefined ? path : realpathSync(path),
      text,
      stat === undefined ? undefined : stat.mode & 0o777,
    )
    .catch((cause: unknown) => {
      throw new RalphError("settings", `${path} could not be written: ${String(cause)}.`, null, cause);
    });
}

/** The text without a member, and without the innermost `madeObjects` objects around it that are empty then. */
export function withoutMember(text: string, keys: KeyPath, madeObjects: number): string {
  const [first, ...rest] = keys;
  const removed = removeMember(text, keys);
  if (removed === null || rest.length === 0 || madeObjects === 0) return removed ?? text;
  const around: KeyPath = [first, ...rest.slice(0, -1)];
  const value = readMember(removed, around);
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty ? withoutMember(removed, around, madeObjects - 1) : removed;
}
