import { createHash } from "node:crypto";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import { asOwn } from "../lib/as-own.ts";
import type { Disk } from "../ports.ts";
import { runFolders } from "../stores/artefact-path.ts";
import type { CopyHistory } from "./copy/copy-repository.ts";
import type { CountedGroup } from "../../core/verification/inventory/counted-groups.ts";
import type { KnownSpot } from "../../core/verification/sealed/single-probe.ts";
import type { TestCase } from "../../core/verification/reports/test-case.ts";
import type { SealedDependencies } from "./copy/dependencies.ts";
import type { ToolPrint } from "./tool-prints.ts";

/** What was sealed before the first turn. Objects of git and included files lie beside it. */
export type SealRecord = {
  version: 1;
  /** Absent: the run itself. The run beside whose seal the objects and files of this one lie, and the top of its work tree. */
  owner?: { runId: string; top: string };
  /** The tree that the work began with; with accepted changes, that tree with them. */
  base: string;
  /** Absent: nothing was accepted. The tree before, of which the run's own store has all objects, and what people accepted. */
  accepted?: { start: string; paths: string[] };
  history: CopyHistory;
  /** Where the project lies in its repository; empty: at the top. */
  directory: string;
  /** The commands of all checks. */
  commands: string[];
  /** Files that the commands name. */
  named: string[];
  /** The search path as it was. */
  path: string;
  tools: ToolPrint[];
  dependencies: SealedDependencies;
  /** Files that git ignores and checks need, by path: the hash of what they held. */
  include: Record<string, string>;
  contractHash: string;
  /** Folders beside protected files that the suite of the base makes and fills; absent: it needs none. */
  filled?: string[];
  /** How each check stood on the base, in a sealed copy. */
  checks: CheckBase[];
};

/** A check on the base. `tests` is null where it gives no report. */
export type CheckBase = {
  command: string;
  exitCode: number;
  durationMs: number;
  tests: TestCase[] | null;
  /** False: it ends the same whatever the tests expect, as a formatter does; the probe does not ask it. */
  isListening: boolean;
  /** Ids of tests that stay green with false expectations. */
  deaf: string[];
  /** Helpers of the tests that were heard: their calls are assertions; absent: none was. */
  helpers?: string[];
  /** Groups of tests whose names vary from run to run; absent: none do. */
  counted?: CountedGroup[];
  /** Ids of tests that were red and green on the base; absent: none was. */
  flaky?: string[];
  /** Expectations that are made false one at a time, in the order of their worth; absent: the report tells tests apart. */
  spots?: KnownSpot[];
};

/** Where a seal lies: beside the raw streams of its run, so that it is removed with them. */
export function sealFolder(stateFolder: string, runId: string): string {
  return join(stateFolder, runFolders(runId).streams, "seal");
}

/** Where the objects and files of a run's seal lie: beside its record, or beside that of the run that it belongs to. */
export function sealContent(stateFolder: string, runId: string, { owner }: Pick<SealRecord, "owner">): string {
  return sealFolder(stateFolder, owner?.runId ?? runId);
}

/** Keeps a seal for its owner alone and returns its hash. `isFirst`: there is no other one in the folder. */
export async function writeSeal(
  disk: Disk,
  folder: string,
  record: SealRecord,
  isFirst: boolean = record.accepted === undefined,
): Promise<string> {
  const text = canonicalJson(record);
  const hash = hashOf(text);
  // The run remembers the former one until it has heard of this one.
  const name = isFirst ? firstName : revisionName(hash);
  await disk.writeAtomic(join(folder, name), text, 0o600);
  return hash;
}

const firstName = "seal.json";

function revisionName(hash: string): string {
  return `seal-${hash}.json`;
}

/** Reads a seal. Rejects with a `RalphError` when it is gone, or not the one that the run remembers. */
export async function readSeal(disk: Disk, folder: string, hash: string): Promise<SealRecord> {
  const revision = await disk.readText(join(folder, revisionName(hash)), recordBytesMax);
  const text = revision ?? (await disk.readText(join(folder, firstName), recordBytesMax));
  if (text === null || hashOf(text) !== hash)
    throw new RalphError("store", "The seal was changed since the run began.", "Start a new run.");
  return asOwn<SealRecord>(JSON.parse(text));
}

/** Hashes of tools and names of tags; a record has some 100 KB at most. */
const recordBytesMax = 16 * 1024 * 1024;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
