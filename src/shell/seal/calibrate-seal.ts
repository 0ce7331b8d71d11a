import { type CalibratedEnd, type Calibration, foldersToFill } from "../../core/verification/sealed/calibration.ts";
import {
  deafTests,
  falsifyFiles,
  heardHelpers,
  type ProbeFiles,
  probeLimitMs,
} from "../../core/verification/sealed/probe.ts";
import type { CommandEnd } from "../processes/run-check-command.ts";
import { settleFlaky } from "../../core/verification/inventory/flaky-tests.ts";
import type { SingleSpot } from "../../core/verification/falsify/single-spots.ts";
import {
  isProbedSingly,
  type KnownSpot,
  type SpotRun,
  spotsOfTests,
} from "../../core/verification/sealed/single-probe.ts";
import { findCountedGroups } from "../../core/verification/inventory/counted-groups.ts";
import { type CalibratedRuns, calibrateChecks } from "./calibrate.ts";
import type { OpenSeal } from "./open-seal.ts";
import type { CheckBase } from "./seal-record.ts";
import { projectFiles, runSealedCheck, type SealedCheckEnd, type StartSealed, testsOf } from "./sealed-checks.ts";
import { listenToSpots, type RunSpot, spotRunOf } from "./single-probes.ts";
import { runTreeCheck, type StartInTree } from "./tree-check.ts";

/** How the commands of checks are started before the first turn. */
export type CalibrationTools = {
  /** The project's folder. */
  project: string;
  startInTree: StartInTree;
  /** `limitMs`: a shorter limit than that of any check. */
  startSealed: (given: Parameters<StartSealed>[0], limitMs?: number) => Promise<CommandEnd>;
  newMarker: () => string;
  /** Told before each run, for people who wait. */
  tell: (progress: { command: string; place: "the project" | "a sealed copy" | "a probe" }) => void;
};

/** What a calibration found: how each check stands on the base, and why sealing cannot be used here, a sentence each. */
export type SealCalibration = {
  checks: CheckBase[];
  problems: string[];
  /** Folders beside tests that the suite makes: with them there may be no problem. */
  unfilled: string[];
};

/**
 * Runs every check in the project, in a sealed copy of the base, and there with false expectations. Where the first two end
 * differently the copy lacks something that the check needs, and its verdicts would be worth nothing.
 */
export async function calibrateSeal(
  seal: OpenSeal,
  commands: readonly string[],
  tools: CalibrationTools,
): Promise<SealCalibration> {
  const { base, directory } = seal.record;
  const sealed = new Map<string, SealedCheckEnd>();
  const run = runnerOf(seal, tools);
  const texts = await projectFiles(seal, { candidate: base, variant: "A" });
  const files = await seal.files(base);
  const prefix = directory === "" ? "" : `${directory}/`;
  const isInBase = (path: string): boolean => files.has(`${prefix}${path}`);
  const checks = commands.map((command) => ({
    name: command,
    async inTree() {
      tools.tell({ command, place: "the project" });
      return endOf(await runTreeCheck({ command, files: texts, project: tools.project, isInBase }, tools.startInTree));
    },
    async inCopy() {
      tools.tell({ command, place: "a sealed copy" });
      const ended = await run(command);
      if (!sealed.has(command)) sealed.set(command, ended);
      return endOf(ended);
    },
  }));
  const found = await calibrateChecks(checks, { project: tools.project, copy: seal.folder, isInBase });
  const problems = found.flatMap(({ name, ...calibration }) =>
    problemsOf(name, calibration, sealed.get(name)?.touched ?? []),
  );
  if (problems.length > 0) {
    // What is named in the output counts from the project's folder.
    const unfilled = directory === "" ? foldersToFill(found, [...files.keys()]) : [];
    return { checks: [], problems, unfilled };
  }
  const bases = await probeBase(seal, commands, { sealed, run, tools });
  return { checks: bases.map((each) => withVariation(each, found)), problems, unfilled: [] };
}

/** Tests whose names vary from run to run are compared by their number; those that are red by chance may be red. */
function withVariation(check: CheckBase, found: readonly CalibratedRuns[]): CheckBase {
  const again = found.find(({ name }) => name === check.command)?.again ?? [];
  if (check.tests === null || again.length === 0) return check;
  const runs = [check.tests, ...again];
  const counted = findCountedGroups(runs);
  const { tests, flaky } = settleFlaky(check.tests, runs);
  return {
    ...check,
    tests,
    ...(counted.length === 0 ? {} : { counted }),
    ...(flaky.length === 0 ? {} : { flaky }),
  };
}

/** How the checks stand on the base in a sealed copy. Nothing is compared with the project, where an agent has worked. */
export async function calibrateBase(
  seal: OpenSeal,
  commands: readonly string[],
  tools: Omit<CalibrationTools, "project" | "startInTree">,
): Promise<CheckBase[]> {
  const run = runnerOf(seal, tools);
  const sealed = new Map<string, SealedCheckEnd>();
  for (const command of commands) {
    tools.tell({ command, place: "a sealed copy" });
    sealed.set(command, await run(command));
  }
  return probeBase(seal, commands, { sealed, run, tools });
}

function runnerOf(
  seal: OpenSeal,
  tools: Pick<CalibrationTools, "newMarker" | "startSealed">,
): (command: string, probe?: Probe) => Promise<SealedCheckEnd> {
  return (command, probe) => {
    const content = { candidate: seal.record.base, variant: "A" as const };
    const overlay = probe === undefined ? {} : { overlay: probe.overlay };
    const order = { ...content, command, workingDir: "", turnMarker: tools.newMarker(), ...overlay };
    return runSealedCheck(seal, order, (given) => tools.startSealed(given, probe?.limitMs));
  };
}

/** False texts in the place of tests, and how long such a run may take. */
type Probe = { overlay: ReadonlyMap<string, string>; limitMs: number };

type Probing = {
  sealed: ReadonlyMap<string, SealedCheckEnd>;
  run: (command: string, probe: Probe) => Promise<SealedCheckEnd>;
  tools: Pick<CalibrationTools, "tell">;
};

/** Which checks, which tests and, where only the exit code tells, which expectations notice that they are false on the base. */
async function probeBase(
  seal: OpenSeal,
  commands: readonly string[],
  { sealed, run, tools }: Probing,
): Promise<CheckBase[]> {
  const texts = await seal.testTexts({ candidate: seal.record.base, variant: "A" });
  const files = falsifyFiles(texts);
  const overlay = new Map([...files].map(([path, { text }]) => [path, text]));
  const checks: CheckBase[] = [];
  for (const command of commands) {
    tools.tell({ command, place: "a probe" });
    const plain = sealed.get(command);
    const durationMs = plain?.end.kind === "ended" ? plain.end.durationMs : 0;
    const limitMs = probeLimitMs(durationMs);
    const probed = files.size === 0 ? null : await run(command, { overlay, limitMs });
    const check = baseOf(command, { files, plain, probed });
    const isSingle = check.isListening && isProbedSingly({ hasReport: check.tests !== null, durationMs });
    const runSpot = async (each: ReadonlyMap<string, string> | null): Promise<SpotRun | "cut"> =>
      spotRunOf((await run(command, { overlay: each ?? new Map(), limitMs })).end);
    const spots = isSingle ? await listenTo(spotsOfTests(texts), plain?.end, runSpot) : [];
    checks.push(spots.length === 0 ? check : { ...check, spots });
  }
  return checks;
}

async function listenTo(
  spots: readonly SingleSpot[],
  plain: CommandEnd | undefined,
  run: RunSpot,
): Promise<KnownSpot[]> {
  const ended = plain === undefined ? "cut" : spotRunOf(plain);
  return ended === "cut" ? [] : listenToSpots(spots, ended, run);
}

type Runs = { files: ProbeFiles; plain: SealedCheckEnd | undefined; probed: SealedCheckEnd | null };

function baseOf(command: string, { files, plain, probed }: Runs): CheckBase {
  const end = plain?.end;
  const tests = testsOf(plain?.report ?? null);
  const under = testsOf(probed?.report ?? null) ?? [];
  const helpers = heardHelpers(files, { plain: tests ?? [], probed: under });
  return {
    command,
    exitCode: codeOf(end) ?? 127,
    durationMs: end?.kind === "ended" ? end.durationMs : 0,
    tests,
    isListening: probed !== null && traceOf(end) !== traceOf(probed.end),
    deaf: [...deafTests(files, under)],
    ...(helpers.length === 0 ? {} : { helpers }),
  };
}

/** What a run shows of what it found: times, paths and numbers of processes differ anyway. */
function traceOf(end: CommandEnd | undefined): string {
  if (end?.kind !== "ended") return "";
  return `${end.exitCode} ${end.output.replaceAll(/\d+/g, "0").replaceAll(/ralph-seal-\S*/g, "")}`;
}

/** What is compared of a run in the project and one in the copy. One that could not be started has the shell's code for that. */
function endOf({ end, report }: Pick<SealedCheckEnd, "end" | "report">): CalibratedEnd {
  const tests = testsOf(report);
  if (end.kind !== "ended") return { exitCode: 127, isTimedOut: false, output: "", tests, durationMs: 0 };
  const { exitCode, isTimedOut, output, durationMs } = end;
  return { exitCode, isTimedOut, output, tests, durationMs };
}

function problemsOf(command: string, { differences, proposal }: Calibration, touched: readonly string[]): string[] {
  const written = [...new Set([...touched, ...proposal.writable])];
  const keys = [
    ...(written.length === 0 ? [] : [`"writable": ${JSON.stringify(written)}`]),
    ...(proposal.include.length === 0 ? [] : [`"include": ${JSON.stringify(proposal.include)}`]),
    ...(proposal.network === null ? [] : [`"network": "host"`]),
  ];
  if (differences.length === 0 && written.length === 0) return [];
  const what = differences.length === 0 ? "it writes protected files" : differences.join("; ");
  const remedy =
    keys.length === 0 ? "See seal.include, seal.env and seal.network." : `Set "seal": { ${keys.join(", ")} }.`;
  return [`"${command}": ${what}. ${remedy}`];
}

/** Null: it was cut, or could not be started. */
function codeOf(end: CommandEnd | undefined): number | null {
  return end?.kind === "ended" ? end.exitCode : null;
}
