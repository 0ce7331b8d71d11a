import { createHash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, readSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { findProgram } from "../lib/find-program.ts";
import { openRegularFile } from "../lib/read-text-file.ts";
import { isInside } from "./namespace/namespace.ts";

/** A program as it was found: where, which file that really is, and what the file holds. Null: it was not there. */
export type ToolPrint = {
  name: string;
  path: string | null;
  file: string | null;
  hash: string | null;
  /** Inode, size and times of the file: while they are the same its content is not read again. */
  stamp: string | null;
};

/** Programs that checks start without naming them. */
export const usualTools: readonly string[] = "sh node npm npx python3 make cc gcc git tsc go cargo".split(" ");

/** Where programs are looked for. */
export type ToolSearch = { path: string; directory: string };

/** Prints of programs by name. `former` spares reading a file whose stamp did not change. */
export async function readToolPrints(
  names: readonly string[],
  { path, directory }: ToolSearch,
  former: readonly ToolPrint[] = [],
): Promise<ToolPrint[]> {
  const known = new Map(former.map((print) => [print.file, print]));
  const prints: ToolPrint[] = [];
  for (const name of new Set(names)) {
    const found = await findProgram(name, { env: { PATH: path }, directory });
    prints.push(found === null ? { name, ...none } : { name, path: found, ...fileOf(found, known) });
  }
  return prints;
}

const none = { path: null, file: null, hash: null, stamp: null };

type FilePrint = Pick<ToolPrint, "file" | "hash" | "stamp">;

function fileOf(path: string, known: Map<string | null, FilePrint>): FilePrint {
  const file = realpathSync(path);
  const handle = openRegularFile(file, "refuse");
  if (handle === null) return none;
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(handle, { bigint: true });
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
    const former = known.get(file);
    // Nobody but the system sets the time of a change.
    const hash = former?.stamp === stamp ? former.hash : hashOf(handle);
    const print = { file, hash, stamp };
    known.set(file, print);
    return print;
  } finally {
    closeSync(handle);
  }
}

function hashOf(handle: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0, count = 1; count > 0; at += count) {
    count = readSync(handle, buffer, 0, buffer.length, at);
    hash.update(buffer.subarray(0, count));
  }
  return hash.digest("hex");
}

/** What became of programs since the seal, a sentence each; empty when all are the same. */
export function compareToolPrints(sealed: readonly ToolPrint[], now: readonly ToolPrint[]): string[] {
  const present = new Map(now.map((print) => [print.name, print]));
  return sealed.flatMap((former) => {
    const print = present.get(former.name);
    if (print === undefined) return [];
    if (print.path !== former.path)
      return [`${former.name} is now ${print.path ?? "missing"}, it was ${former.path ?? "missing"}.`];
    if (print.file !== former.file)
      return [`${former.name} leads to ${print.file ?? "nothing"}, it led to ${former.file ?? "nothing"}.`];
    return print.hash === former.hash
      ? []
      : [`${former.name} (${former.path ?? ""}) has another content than at the start.`];
  });
}

/** Which entries of a search path are sealed. */
export type PathRules = {
  home: string;
  /** The project: its own entries lead into the copy instead. */
  project: string;
  copy: string;
};

/**
 * The search path of sealed checks: absolute entries, without those below HOME that are empty or absent, because only an agent
 * would fill them. Read once at the seal. Entries of the project lead to the same place of the copy.
 */
export function sealedPath(path: string, { home, project, copy }: PathRules): string {
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
  const kept = entries.filter((entry) => isInside(entry, project) || !isInside(entry, home) || holdsSomething(entry));
  const placed = kept.map((entry) => (isInside(entry, project) ? copy + entry.slice(project.length) : entry));
  return [...new Set(placed)].join(delimiter);
}

function holdsSomething(folder: string): boolean {
  try {
    return lstatSync(realpathSync(folder)).isDirectory() && readdirSync(folder).length > 0;
  } catch {
    // Not there, or not ours to read.
    return false;
  }
}
