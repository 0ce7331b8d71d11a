import { lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { matchPaths } from "../../../core/verification/protect/path-glob.ts";
import { listFiles } from "../../lib/list-files.ts";
import { readTextFile } from "../../lib/read-text-file.ts";
import { isInside } from "../namespace/namespace.ts";
import { fileStamp } from "./file-stamp.ts";

/** Where a runner writes its report: one file, all files with an ending in one folder, or all that fit below a folder. */
export type ReportSource =
  | { kind: "file"; path: string }
  | { kind: "folder"; path: string; ending: string }
  | { kind: "below"; path: string; globs: readonly string[] };

/** What stood at the place of a report before the run, by path. */
export type KnownReports = ReadonlyMap<string, string>;

/** The texts of a report, or why there is none. */
export type FoundReport =
  | { kind: "found"; texts: string[] }
  | { kind: "none"; reason: "missing" | "there-before" | "not-regular" | "older-than-run" | "too-large" | "outside" };

/** A report of 100 000 tests has about 30 MB. */
const reportBytesMax = 64 * 1024 * 1024;
/** A suite has one file per class at most; more are a flood. */
const filesMax = 20_000;
/** Time stamps of some file systems are this coarse. */
const stampMs = 2_000;

/**
 * Makes the place ready for a run. Below a folder, what an earlier run left is removed: it is no report of this one, and a runner
 * may take it for a sign that nothing is to be done. `isKept`: files that are no output, by their path below the folder.
 */
export async function prepareReport(place: ReportSource, isKept: (path: string) => boolean): Promise<KnownReports> {
  const paths = await pathsOf(place);
  for (const path of place.kind === "below" ? paths : [])
    if (!isKept(relative(place.path, path))) rmSync(path, { force: true });
  const stamps = paths.map((path) => [path, fileStamp(path)] as const);
  return new Map(stamps.filter(([, stamp]) => stamp !== "none"));
}

/** Reads a report after every process of its run is gone. `root`: no way to it may lead out of this folder. */
export async function readReport(place: ReportSource, { root, startedAt, known }: ReportedRun): Promise<FoundReport> {
  // What is found at a place of its own proves nothing when something stood there before.
  if (place.kind !== "below" && known.size > 0) return { kind: "none", reason: "there-before" };
  const paths = (await pathsOf(place)).filter((path) => known.get(path) !== fileStamp(path));
  const texts: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: "none", reason: "missing" };
    if (!isInside(realpathSync(dirname(path)), realpathSync(root))) return { kind: "none", reason: "outside" };
    if (!stat.isFile()) return { kind: "none", reason: "not-regular" };
    if (stat.mtimeMs < startedAt - stampMs) return { kind: "none", reason: "older-than-run" };
    bytes += stat.size;
    if (bytes > reportBytesMax) return { kind: "none", reason: "too-large" };
    texts.push(readTextFile(path, { bytesMax: reportBytesMax, links: "refuse" }) ?? "");
  }
  return texts.length === 0 ? { kind: "none", reason: "missing" } : { kind: "found", texts };
}

type ReportedRun = { root: string; startedAt: number; known: KnownReports };

async function pathsOf(place: ReportSource): Promise<string[]> {
  if (place.kind === "file") return [place.path];
  if (place.kind === "folder") return filesOf(place);
  const isReport = matchPaths(place.globs);
  const files = await listFiles(place.path, notEntered);
  return files
    .filter((path) => isReport(relative(place.path, path)))
    .toSorted()
    .slice(0, filesMax);
}

/** Folders without reports, with many files. */
const notEntered: ReadonlySet<string> = new Set([".git", "node_modules"]);

function filesOf({ path, ending }: Extract<ReportSource, { kind: "folder" }>): string[] {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const names = isFolder ? readdirSync(path).filter((name) => name.endsWith(ending)) : [];
  return names
    .toSorted()
    .slice(0, filesMax)
    .map((name) => join(path, name));
}
