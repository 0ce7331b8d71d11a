import { RalphError } from "../../core/ralph-error.ts";
import { type Contract, type ContractSources } from "../../core/contract/contract.ts";
import { sealedCommands, sealedGateId } from "../../core/contract/sealed.ts";
import type { RunState } from "../../core/run/state.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Machine } from "../machine.ts";
import { calibrateSeal } from "../seal/calibrate-seal.ts";
import { openSeal, type OpenSeal } from "../seal/open-seal.ts";
import { createRunSeal, type RunSeal } from "../seal/run-seal.ts";
import { sealFolder, writeSeal } from "../seal/seal-record.ts";
import { takeSeal } from "../seal/take-seal.ts";
import { type CommandEnd, runCheckCommand, shellArgv } from "../processes/run-check-command.ts";

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

/** What the run remembers of its seal. */
export type SealSlot = { hash: string };

/**
 * Seals a run before its first turn and sees whether its checks work in a sealed copy. Null: the run is not sealed. Rejects with a
 * `RalphError` that names what a check lacks there.
 */
export async function sealRun(machine: Machine, start: SealedRunStart): Promise<SealSlot | null> {
  const { runId, frozen } = start;
  const gate = frozen.contract.gates.find(({ id }) => id === sealedGateId);
  if (gate === undefined) return null;
  const commands = commandsOf(frozen);
  const context = { ...machine, runId, frozen };
  const record = await takeSeal(context, {
    rule: { stage: frozen.settings.scm?.stage ?? "run", untrackedAtStart: frozen.untrackedAtStart ?? null },
    commands,
    modules: [],
    include: frozen.settings.seal.include,
    contractHash: frozen.contract.hash,
    ...(start.base === undefined ? {} : { base: start.base }),
  });
  if (record === null) return null;
  const seal = await openSeal(context, record, frozen.settings.seal);
  try {
    requireIsolation(seal, frozen);
    const { checks, problems } = await calibrateSeal(seal, commands, calibrationTools(machine, start));
    if (problems.length > 0)
      throw new RalphError("contract", `Sealed checks do not work here: ${problems.join(" ")}`, offRemedy);
    return { hash: await writeSeal(machine.disk, sealFolder(machine.folder, runId), { ...record, checks }) };
  } finally {
    seal.close();
  }
}

const offRemedy = 'Or switch sealing off: "seal": { "checks": "off" }.';

/** The seal of a run that begins or continues; undefined where it has none. */
export function runSealOf(
  machine: Machine,
  { id, frozen, state, step = null }: { id: string; frozen: FrozenRun; state: RunState; step?: string | null },
): RunSeal | undefined {
  const slot = state.slots[sealedGateId];
  const isSealed = state.policy.gates.some((gate) => gate.id === sealedGateId);
  if (!isSealed || !isSlot(slot)) return undefined;
  return createRunSeal({ ...machine, runId: id, frozen }, { hash: slot.hash, rules: frozen.settings.seal, step });
}

function isSlot(slot: unknown): slot is SealSlot {
  return typeof slot === "object" && slot !== null && "hash" in slot && typeof slot.hash === "string";
}

function commandsOf({ policy, settings, settingsFiles, criterion, projectCriteria }: FrozenRun): string[] {
  const sources: ContractSources = {
    surface: policy.kind,
    settings,
    settingsFiles,
    verifyCommandsFrom: null,
    role: criterion ?? null,
    projectCriteria: projectCriteria ?? [],
    hasBaseline: false,
  };
  return sealedCommands(sources);
}

function requireIsolation({ isolation }: OpenSeal, { settings }: FrozenRun): void {
  if (settings.seal.isolation !== "namespace" || isolation.problem === null) return;
  throw new RalphError(
    "contract",
    `seal.isolation is "namespace", and there is none: ${isolation.problem}`,
    'Install bubblewrap, or set seal.isolation to "auto".',
  );
}

function calibrationTools(
  machine: Machine,
  { runId, frozen, tell, signal = new AbortController().signal }: SealedRunStart,
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
    startInTree(command): Promise<CommandEnd> {
      const turnMarker = newMarker();
      const env = { ...machine.env, RALPH_RUN_ID: runId, RALPH_TURN: turnMarker };
      const order = { ...shared, argv: shellArgv(command), cwd: projectDir, env, turnMarker };
      return runCheckCommand(order, { ...tools, processes: machine.processes });
    },
    startSealed: ({ command, context, onOutput }) => {
      const { cwd, env, processes } = context;
      const turnMarker = env["RALPH_TURN"] ?? "";
      const order = { ...shared, argv: shellArgv(command), cwd, env, turnMarker, onStdout: onOutput };
      return runCheckCommand(order, { ...tools, processes });
    },
  };
}
