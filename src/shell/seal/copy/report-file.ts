import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextFile } from "../../lib/read-text-file.ts";
import { isInside } from "../namespace/namespace.ts";

/** Where a runner writes its report: one file, or all files with an ending in one folder. */
export type ReportSource = { kind: "file"; path: string } | { kind: "folder"; path: string; ending: string };

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

/** Whether something stands at the place of a report already: what is found there later proves nothing. */
export function isReportThere(place: ReportSource): boolean {
  if (lstatSync(place.path, { throwIfNoEntry: false }) === undefined) return false;
  return place.kind === "file" || filesOf(place).length > 0;
}

/** Reads a report after every process of its run is gone. `root`: no way to it may lead out of this folder. */
export function readReport(place: ReportSource, { root, startedAt }: { root: string; startedAt: number }): FoundReport {
  const paths = place.kind === "file" ? [place.path] : filesOf(place);
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

function filesOf({ path, ending }: Extract<ReportSource, { kind: "folder" }>): string[] {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const names = isFolder ? readdirSync(path).filter((name) => name.endsWith(ending)) : [];
  return names
    .toSorted()
    .slice(0, filesMax)
    .map((name) => join(path, name));
}
