import { createHash, type Hash } from "node:crypto";
import { dirname, join, relative, sep } from "node:path";
import type { OpenFile, SharedFiles } from "../ports.ts";

/** Read of one file; a larger one that is not committed is told by its size and time. */
const bytesMax = 64 * 1024 * 1024;
const chunkBytes = 64 * 1024;
/** Of 64: enough to tell one file's contents apart, and a list of a thousand files stays small. */
const hashCharsMax = 16;

/** What a path holds in a few letters: equal marks are equal contents. Follows no link and waits for no pipe. */
export function contentMark(files: Pick<SharedFiles, "look" | "open">, path: string): string {
  const entry = files.look(path);
  if (entry === null) return "gone";
  if (entry.kind !== "file") return `${entry.kind} ${entry.identity}`;
  if (entry.bytes > bytesMax) return `${entry.bytes} ${entry.changedAt}`;
  try {
    const file = files.open(path, "read");
    return file === null ? "gone" : hashOf(file);
  } catch {
    // Nobody may read it, or it became something else just now.
    return "unreadable";
  }
}

/** The top of a project's repository; the project itself without one. Does not call git. */
export function repositoryTop(files: Pick<SharedFiles, "look">, projectDir: string): string {
  for (let folder = projectDir; ; folder = dirname(folder)) {
    if (files.look(join(folder, ".git")) !== null) return folder;
    if (dirname(folder) === folder) return projectDir;
  }
}

/** A project directory from the top of its repository, as paths of git begin. */
export function prefixFrom(top: string, projectDir: string): string {
  const path = relative(top, projectDir).split(sep).join("/");
  return path === "" ? "" : `${path}/`;
}

function hashOf(file: OpenFile): string {
  try {
    return hashAll(file, createHash("sha256")).digest("hex").slice(0, hashCharsMax);
  } finally {
    file.close();
  }
}

function hashAll(file: OpenFile, hash: Hash): Hash {
  const buffer = Buffer.alloc(chunkBytes);
  for (let position = 0; position < bytesMax;) {
    const count = file.read(buffer, position);
    if (count === 0) break;
    hash.update(buffer.subarray(0, count));
    position += count;
  }
  return hash;
}
