import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  count,
  flag,
  hasShape,
  list,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  text,
} from "../../core/shape/shape.ts";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import type { CountedGroup } from "../../core/verification/inventory/counted-groups.ts";
import type { KnownSpot } from "../../core/verification/sealed/single-probe.ts";
import type { TestCase } from "../../core/verification/reports/test-case.ts";
import { parsedOrNull } from "../../core/text/parsed-or-null.ts";
import type { Disk } from "../ports.ts";
import type { OpenSeal } from "./open-seal.ts";
import type { CheckBase, SealRecord } from "./seal-record.ts";
import { isDependencyFile } from "./take-seal.ts";

/** How the checks of a project stood on a base, and when that was seen. */
export type KeptCalibration = { version: 1; key: string; at: number; checks: CheckBase[] } & Pick<SealRecord, "filled">;

/** Everything that a calibration depends on. */
export type CalibrationFacts = Pick<
  SealRecord,
  "commands" | "contractHash" | "dependencies" | "directory" | "include" | "path" | "tools"
> & {
  /** The project: others have other files that git does not know. */
  project: string;
  isolation: OpenSeal["isolation"]["kind"];
  /** Those of the base. */
  files: readonly Pick<CountedFile, "path" | "mode" | "object" | "protection" | "from">[];
};

type CountedFile = Awaited<ReturnType<OpenSeal["written"]>>["files"][number];

/** The facts of a seal. Rejects when git cannot tell. */
export async function calibrationFacts(seal: OpenSeal, project: string): Promise<CalibrationFacts> {
  const { record, isolation } = seal;
  const { files } = await seal.written({ candidate: record.base, variant: "A" });
  return { ...record, project, isolation: isolation.kind, files };
}

/**
 * Names a calibration: equal keys mean that nothing changed which it depends on. Tests, configuration and lock files count, code does not:
 * it changes with every run, and what the tests show of it is seen on the next claim.
 */
export function calibrationKey(facts: CalibrationFacts): string {
  const files = facts.files
    .filter(({ path, protection, from }) => protection !== null || from === "merged" || isDependencyFile(path))
    .map(({ path, mode, object }) => [path, mode, object]);
  const tools = facts.tools.map(({ name, path, file, hash }) => [name, path, file, hash]);
  const { commands, contractHash, dependencies, directory, include, isolation, path, project } = facts;
  const parts = {
    commands,
    contractHash,
    dependencies: dependencies.key,
    directory,
    include,
    isolation,
    path,
    project,
  };
  return createHash("sha256")
    .update(canonicalJson({ version, ...parts, files, tools }))
    .digest("hex");
}

/** Raised when checks are calibrated in another way: older calibrations are not used then. */
const version = 2;

/** Where calibrations lie: beside the runs, out of the agents' reach. */
export type CalibrationStore = { disk: Disk; folder: string };

/**
 * The calibration of a key; null: none is kept. One that cannot be read is put aside and not used; `problem` says so. Must not reject:
 * a calibration can be made again.
 */
export async function readCalibration(
  place: CalibrationStore,
  key: string,
): Promise<{ kept: KeptCalibration | null; problem: string | null }> {
  const path = pathOf(place, key);
  try {
    const content = await place.disk.readText(path, fileBytesMax);
    if (content === null) return { kept: null, problem: null };
    const found = parsedOrNull(content);
    if (hasShape(shape, found) && found.key === key) return { kept: found, problem: null };
    const aside = `${path}.corrupt`;
    place.disk.rename(path, aside);
    return { kept: null, problem: `A calibration could not be read; it is kept as ${aside}.` };
  } catch (error) {
    return { kept: null, problem: `A calibration could not be read: ${String(error)}` };
  }
}

/**
 * Whether later runs may rely on how these checks stood. Where a file failed as a whole its tests have no names yet, and a check without
 * a report that is red whatever its tests expect may have failed before any of them ran: other code would show more.
 */
export function isLasting(checks: readonly CheckBase[]): boolean {
  return checks.every(({ isListening, exitCode, tests }) => {
    if (exitCode === 0) return true;
    return tests === null ? isListening : !tests.some(({ isWhole }) => isWhole === true);
  });
}

/** Keeps a calibration, and of all the newest ones. Rejects when the disk cannot. */
export async function keepCalibration(place: CalibrationStore, kept: Omit<KeptCalibration, "version">): Promise<void> {
  const own: KeptCalibration = { version: 1, ...kept };
  await place.disk.writeAtomic(pathOf(place, kept.key), JSON.stringify(own), 0o600, "unsynced");
  const folder = folderOf(place);
  const names = (place.disk.list(folder) ?? []).map(({ name }) => join(folder, name));
  const ages = names.map((path) => ({ path, changedAt: place.disk.look(path)?.changedAt ?? 0 }));
  const old = ages.toSorted((one, other) => other.changedAt - one.changedAt).slice(calibrationsMax);
  for (const { path } of old) place.disk.remove(path);
}

/** A machine has some tens of projects, and each run of a project needs one. */
const calibrationsMax = 200;

/** As for the record of a seal, which holds the same tests. */
const fileBytesMax = 16 * 1024 * 1024;

function folderOf({ folder }: CalibrationStore): string {
  return join(folder, "calibrations");
}

function pathOf(place: CalibrationStore, key: string): string {
  return join(folderOf(place), `${key}.json`);
}

const testShape = objectOf<TestCase>({
  file: nullable(text),
  suite: text,
  name: text,
  status: oneOf("passed", "failed", "skipped"),
  isWhole: optional(oneOf(true)),
  isRetried: optional(oneOf(true)),
});

const countedShape = objectOf<CountedGroup>({ group: nullable(text), passedMin: count, failedMax: count });

const spotShape = objectOf<KnownSpot>({ id: text, isHeard: flag });

const shape = objectOf<KeptCalibration>({
  version: oneOf(1),
  key: text,
  at: number,
  filled: optional(list(text)),
  checks: list(
    objectOf<CheckBase>({
      command: text,
      exitCode: count,
      durationMs: number,
      tests: nullable(list(testShape)),
      isListening: flag,
      deaf: list(text),
      helpers: optional(list(text)),
      counted: optional(list(countedShape)),
      flaky: optional(list(text)),
      spots: optional(list(spotShape)),
    }),
  ),
});
