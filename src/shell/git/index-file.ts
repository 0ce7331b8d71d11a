import { createHash } from "node:crypto";
import { lstatSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readBytesFile } from "../lib/read-text-file.ts";
import { lstatIfThere } from "../lib/stat-if-there.ts";

/** Times of files come from a clock of the kernel that is this much late, at most. */
const clockLagMs = 20;

/** What tells one state of a file from every other; `isSure`: nobody can have changed it since without another mark. */
export type FileMark = { text: string; isSure: boolean };

/** The mark of a file as seen at `atMs`. The time of the last change of its facts cannot be set back by an agent. */
export function markFile(path: string, atMs: number): FileMark {
  try {
    const { ino, size, mode, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return {
      text: [ino, size, mode, mtimeNs, ctimeNs].join(" "),
      isSure: Number(ctimeNs / 1_000_000n) < atMs - clockLagMs,
    };
  } catch {
    return { text: "none", isSure: true };
  }
}

/** An index of ours, the hash that names its objects, and when the look at its files began. */
export type IndexFile = { path: string; algorithm: "sha1" | "sha256"; sinceMs: number };

/**
 * Lets git read those files again at the next look whose facts changed in the second of this one. Most builds of git
 * compare times by whole seconds, and what tells it that a file may have changed meanwhile is the time of its content,
 * which anybody can set back: a change of the same length in the same second would never be seen.
 */
export function forgetUnsure(file: IndexFile): void {
  if (lstatIfThere(file.path) === null) return;
  try {
    clearUnsure(file);
  } catch {
    // Without an index the next look reads every file.
    rmSync(file.path, { force: true });
  }
}

function clearUnsure({ path, algorithm, sinceMs }: IndexFile): void {
  const index = readIndex(path);
  const entries = unsureEntries(index, hashBytes[algorithm], Math.floor((sinceMs - clockLagMs) / 1000));
  if (entries.length === 0) return;
  // As an entry of `git update-index --index-info`: no times, no size.
  for (const at of entries) index.fill(0, at, at + modeAt).fill(0, at + modeAt + 4, at + objectAt);
  rewrite(path, index, algorithm);
}

/**
 * Begins an index of ours as a copy of another one with its times, so that the first look reads only files that changed
 * since that one was written. Only for an index that no agent of the run can have written: its facts are believed.
 */
export function copyIndex(from: string, to: Pick<IndexFile, "path" | "algorithm">): void {
  const found = lstatIfThere(from);
  if (found?.isFile() !== true) return;
  writeFileSync(`${to.path}.new`, readIndex(from));
  const second = Math.floor(found.mtimeMs / 1000);
  utimesSync(`${to.path}.new`, second, second);
  renameSync(`${to.path}.new`, to.path);
  forgetUnsure({ ...to, sinceMs: second * 1000 });
}

/** Copies an index of ours for a tree of other files; its times are lost, so that no look may begin with it. */
export function copyForTree(from: string, to: string): void {
  writeFileSync(to, readIndex(from));
}

/** About a hundred bytes per file: an index of five million files. */
const indexBytesMax = 512 * 1024 * 1024;

function readIndex(path: string): Buffer {
  return readBytesFile(path, { bytesMax: indexBytesMax, links: "refuse" }) ?? Buffer.alloc(0);
}

const hashBytes = { sha1: 20, sha256: 32 };

function rewrite(path: string, index: Buffer, algorithm: IndexFile["algorithm"]): void {
  const body = index.subarray(0, index.length - hashBytes[algorithm]);
  createHash(algorithm).update(body).digest().copy(index, body.length);
  const second = Math.floor(lstatSync(path).mtimeMs / 1000);
  writeFileSync(`${path}.new`, index);
  // Git takes files that are younger than the index for doubtful: that must stay so.
  utimesSync(`${path}.new`, second, second);
  renameSync(`${path}.new`, path);
}

/** Where the entries begin whose facts changed in that second or later. Throws for what is not an index. */
function unsureEntries(index: Buffer, objectBytes: number, sinceSecond: number): number[] {
  const found: number[] = [];
  walkEntries(index, objectBytes, (at) => {
    if (index.readUInt32BE(at) >= sinceSecond) found.push(at);
  });
  return found;
}

/**
 * The paths in an index of ours, as `git ls-files` lists them: a process of git costs as much as a look at a small work
 * tree. Null where only git can tell: shortened names, an index in parts, folders that stand for their files.
 */
export function pathsInIndex({ path, algorithm }: Pick<IndexFile, "path" | "algorithm">): string[] | null {
  try {
    const index = readIndex(path);
    const paths: string[] = [];
    let isPlain = versionOf(index) < 4;
    const end = walkEntries(index, hashBytes[algorithm], (at, { nameAt, nameEnd }) => {
      isPlain &&= index.readUInt32BE(at + modeAt) !== folderMode;
      paths.push(index.toString("utf8", nameAt, nameEnd));
    });
    // Git may pass over the parts that follow if they begin with a capital letter.
    for (let at = end; at + 8 <= index.length - hashBytes[algorithm]; at += 8 + index.readUInt32BE(at + 4))
      isPlain &&= /^[A-Z]/.test(index.toString("latin1", at, at + 1));
    return isPlain ? paths : null;
  } catch {
    return null;
  }
}

const folderMode = 0o040000;

function versionOf(index: Buffer): number {
  const version = index.length > headBytes ? index.readUInt32BE(4) : 0;
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw new Error("not an index");
  return version;
}

type NamePlace = { nameAt: number; nameEnd: number };

/** Visits each entry in its order; returns where they end. Throws for what is not an index. */
function walkEntries(index: Buffer, objectBytes: number, visit: (at: number, place: NamePlace) => void): number {
  const version = versionOf(index);
  let at = headBytes;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + objectAt + objectBytes;
    if (flagsAt + 4 > index.length) throw new Error("not an index");
    const nameAt = nameStart(index, flagsAt, version);
    const nameEnd = index.indexOf(0, nameAt);
    if (nameEnd === -1) throw new Error("not an index");
    visit(at, { nameAt, nameEnd });
    // Names are filled with zeros to a multiple of eight, but for the compressed ones of version 4.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return at;
}

const headBytes = 12;
/** Within an entry, as gitformat-index(5) has it: times, device and inode; mode; owners and size; object. */
const modeAt = 24;
const objectAt = 40;

function nameStart(index: Buffer, flagsAt: number, version: number): number {
  const isExtended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
  let at = flagsAt + (isExtended ? 4 : 2);
  // A number of variable length says how much of the former name is dropped.
  if (version === 4) while (((index[at++] ?? 0) & 0x80) !== 0);
  return at;
}
