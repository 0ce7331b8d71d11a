import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Contract } from "../../core/contract/contract.ts";
import { sealedCommands, sealedGateId, unsealedReason } from "../../core/contract/sealed.ts";
import type { News } from "../../core/run/news.ts";
import type { RunBegin, RunState } from "../../core/run/state.ts";
import {
  acceptedFiles,
  acceptedText,
  type Dispute,
  sealSlot,
  type SealSlot,
} from "../../core/verification/sealed/judge-dispute.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { contractSources } from "../gates/freeze-contract.ts";
import { keepHeldOut } from "../held-out/frozen-files.ts";
import type { Machine } from "../machine.ts";
import { acceptChanges } from "../seal/accept-changes.ts";
import { calibrateSeal } from "../seal/calibrate-seal.ts";
import {
  calibrationFacts,
  calibrationKey,
  isLasting,
  keepCalibration,
  readCalibration,
} from "../seal/kept-calibration.ts";
import { openSeal, type OpenSeal } from "../seal/open-seal.ts";
import { createRunSeal, type RunSeal } from "../seal/run-seal.ts";
import { readSeal, sealFolder, type SealRecord, writeSeal } from "../seal/seal-record.ts";
import { takeSeal } from "../seal/take-seal.ts";
import { type CommandEnd, runCheckCommand } from "../processes/run-check-command.ts";

/** A run before its first turn, as far as its seal is concerned. */
export type SealedRunStart = {
  runId: string;
  frozen: FrozenRun & { contract: Contract };
  /** Told what is done, one line each: calibration runs every check three times. */
  tell: (line: string) => void;
  /** The tree to seal, where it is not what the work tree holds. */
  base?: string;
  /** Cuts the checks of the calibration. */
  signal?: AbortSignal;
};

/**
 * Seals a run before its first turn and sees whether its checks work in a sealed copy. Null: the run is not sealed. Rejects with a
 * `RalphError` that names what a check lacks there.
 */
export async function sealRun(machine: Machine, start: SealedRunStart): Promise<SealSlot | null> {
  const { runId, frozen } = start;
  const isGated = frozen.contract.gates.some(({ id }) => id === sealedGateId);
  // A work run holds the seal for its roles, also where nothing is asked of merged tips.
  const isOfRoles = frozen.work !== undefined && unsealedReason(contractSources(frozen)) === null;
  if (!isGated && !isOfRoles) return null;
  const commands = sealedCommandsOf(frozen);
  const context = { ...machine, runId, frozen };
  const record = await takeSeal(context, {
    rule: { stage: frozen.settings.scm?.stage ?? "run", untrackedAtStart: frozen.untrackedAtStart ?? null },
    commands,
    modules: [],
    include: frozen.settings.seal.include,
    contractHash: frozen.contract.hash,
    ...(start.base === undefined ? {} : { base: start.base }),
    hidden: (frozen.heldOut ?? []).map(({ command }) => command),
  });
  if (record === null) return null;
  keepHeldOut(join(sealFolder(machine.folder, runId), "held-out"), frozen.heldOut ?? []);
  const found = await calibratedIn(machine, { start, record, commands });
  return { hash: await writeSeal(machine.disk, sealFolder(machine.folder, runId), { ...record, ...found }) };
}

type Calibrated = Pick<SealRecord, "checks" | "filled">;
type Unsealed = { start: SealedRunStart; record: SealRecord; commands: readonly string[] };
type Uncalibrated = Unsealed & { seal: OpenSeal };

/** Opens the seal and calibrates; once more where the suite of the base needs folders of its own beside its tests. */
async function calibratedIn(machine: Machine, order: Unsealed): Promise<Calibrated> {
  const { start, record } = order;
  const { runId, frozen } = start;
  const seal = await openSeal({ ...machine, runId, frozen }, record, frozen.settings.seal);
  try {
    requireIsolation(seal, frozen);
    const found = await calibrated(machine, { ...order, seal });
    if (!("unfilled" in found)) return found;
    start.tell(`its suite fills ${found.unfilled.join(", ")}: once more with room for that`);
    return await calibratedIn(machine, { ...order, record: { ...record, filled: found.unfilled } });
  } finally {
    seal.close();
  }
}

/** How the checks stand on the base: as they stood at the last run, while nothing has changed that decides it. */
async function calibrated(
  machine: Machine,
  { start, record, seal, commands }: Uncalibrated,
): Promise<Calibrated | { unfilled: string[] }> {
  const { frozen, tell } = start;
  const key = calibrationKey(await calibrationFacts(seal, frozen.projectDir));
  // Whoever names a base wants to know how that very base stands.
  const { kept, problem } =
    start.base === undefined ? await readCalibration(machine, key) : { kept: null, problem: null };
  if (problem !== null) tell(problem);
  if (kept !== null) {
    const seen = new Date(kept.at).toISOString();
    tell(`calibrated on ${seen}: tests, configuration, packages and programs are the same`);
    return { checks: kept.checks, ...(kept.filled === undefined ? {} : { filled: kept.filled }) };
  }
  const { checks, problems, unfilled } = await calibrateSeal(seal, commands, calibrationTools(machine, start));
  const room = record.filled === undefined ? {} : { filled: record.filled };
  if (unfilled.length > 0 && record.filled === undefined) return { unfilled };
  if (problems.length > 0)
    throw new RalphError("contract", `Sealed checks do not work here: ${problems.join(" ")}`, offRemedy);
  if (start.base === undefined && isLasting(checks))
    await keepCalibration(machine, { key, at: machine.clock.now(), checks, ...room }).catch((error: unknown) =>
      tell(`The calibration could not be kept: ${String(error)}`),
    );
  return { checks, ...room };
}

const offRemedy = 'Or switch sealing off: "seal": { "checks": "off" }.';

type StoredRun = { id: string; frozen: FrozenRun; state: RunState };

/**
 * The seal of a run that begins or continues; undefined where it has none. What people accept at a resume counts from then on. `step`:
 * the only step of the gate that is asked for.
 */
export function runSealOf(
  machine: Machine,
  { id, frozen, state, step = null }: StoredRun & { step?: string | null },
  first: News | null = null,
): RunSeal | undefined {
  const begin = first?.type === "run-resumed" ? first.begin : null;
  const slot = sealSlot({ ...state.slots, ...begin?.slots }[sealedGateId]);
  const isSealed = state.policy.gates.some((gate) => gate.id === sealedGateId);
  if (!isSealed || slot === null) return undefined;
  return createRunSeal({ ...machine, runId: id, frozen }, { hash: slot.hash, rules: frozen.settings.seal, step });
}

/** Who is told what is done while checks run before a turn, one line each. */
export type Told = { tell: (line: string) => void };

/** What accepted changes come to: how the run begins again, and what the agent and the journal are told. */
export type Accepted = { begin: RunBegin; answer: string; remark: string };

/**
 * Sees that the seal of a run that continues is the one that it remembers, and makes what people accept of a dispute part of its base:
 * `all`, or paths. Null: they accept nothing. Rejects with a `RalphError` when the seal was changed, nothing is in dispute or a name fits
 * nothing.
 */
export async function reopenSeal(
  machine: Machine,
  { id, frozen, state }: StoredRun,
  { acceptedTests: names = [], tell }: Told & { acceptedTests?: readonly string[] },
): Promise<Accepted | null> {
  const slot = sealSlot(state.slots[sealedGateId]);
  if (slot !== null) await readSeal(machine.disk, sealFolder(machine.folder, id), slot.hash);
  if (names.length === 0) return null;
  if (slot?.dispute === undefined)
    throw new RalphError("usage", `Run ${id} has no changed tests in dispute.`, "Resume it without --accept-tests.");
  const { hash, dispute } = slot;
  const paths = requireDisputed(dispute, names);
  const context = { ...machine, runId: id, frozen };
  const order = { hash, candidate: dispute.candidate, paths, rules: frozen.settings.seal };
  const now = await acceptChanges(context, order, calibrationTools(machine, { runId: id, frozen, tell }));
  const { slots, assignment, isWorkLeft } = state;
  return {
    begin: { slots: { ...slots, [sealedGateId]: { hash: now } }, assignment, isWorkLeft },
    answer: acceptedText(paths),
    remark: `Accepted as base: ${paths.join(", ")}. The seal is now ${now.slice(0, 12)}.`,
  };
}

/** The files of a dispute that people accept by these names. Throws a `RalphError` for a name that fits none. */
export function requireDisputed(dispute: Dispute, names: readonly string[]): string[] {
  const { files, unknown } = acceptedFiles(dispute, names);
  if (unknown.length === 0 && files.length > 0) return files;
  throw new RalphError(
    "usage",
    `Not in dispute: ${unknown.join(", ")}.`,
    `Name all, or some of: ${dispute.files.join(", ")}.`,
  );
}

/** The commands of a run's checks, each once. */
export function sealedCommandsOf(frozen: FrozenRun): string[] {
  return sealedCommands(contractSources(frozen));
}

function requireIsolation({ isolation }: OpenSeal, { settings }: FrozenRun): void {
  if (settings.seal.isolation !== "namespace" || isolation.problem === null) return;
  throw new RalphError(
    "contract",
    `seal.isolation is "namespace", and there is none: ${isolation.problem}`,
    'Install bubblewrap, or set seal.isolation to "auto".',
  );
}

/** How checks are run before a turn. */
export function calibrationTools(
  machine: Machine,
  {
    runId,
    frozen,
    tell,
    signal = new AbortController().signal,
  }: Pick<SealedRunStart, "runId" | "tell" | "signal"> & { frozen: FrozenRun },
): Parameters<typeof calibrateSeal>[2] {
  const { settings, projectDir } = frozen;
  let markers = 0;
  const newMarker = (): string => {
    markers += 1;
    return `${runId}.0/${markers}`;
  };
  const shared = {
    stdin: null,
    wallMs: settings.guardrailTimeout,
    log: null,
    output: { charsMax: settings.outputTruncateChars, keep: "both" as const },
  };
  const tools = { killGraceMs: machine.killGraceMs, signal };
  return {
    project: projectDir,
    newMarker,
    tell: ({ command, place }) => tell(`calibrating: ${command} in ${place}`),
    startInTree({ run, variables }): Promise<CommandEnd> {
      const turnMarker = newMarker();
      const own = { ...machine.env, RALPH_RUN_ID: runId, RALPH_TURN: turnMarker };
      const env = { ...own, ...withOptions(variables, machine.env) };
      const order = { ...shared, ...run, cwd: projectDir, env, turnMarker };
      return runCheckCommand(order, { ...tools, processes: machine.processes });
    },
    startSealed: ({ run, context }, limitMs = Infinity) => {
      const { cwd, env, processes } = context;
      const turnMarker = env["RALPH_TURN"] ?? "";
      const wallMs = Math.min(shared.wallMs ?? Infinity, limitMs);
      const limits = { ...shared, wallMs: Number.isFinite(wallMs) ? wallMs : null };
      const order = { ...limits, ...run, cwd, env, turnMarker };
      return runCheckCommand(order, { ...tools, processes });
    },
  };
}

/** Variables that carry options keep those of the user, too: a suite may need them. */
function withOptions(
  variables: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const joined = Object.entries(variables).map(([name, value]) => {
    return [name, isOptions(name) ? [env[name] ?? "", value].join(" ").trim() : value] as const;
  });
  return Object.fromEntries(joined);
}

function isOptions(name: string): boolean {
  return ["NODE_OPTIONS", "PYTEST_ADDOPTS", "GOFLAGS"].includes(name);
}
