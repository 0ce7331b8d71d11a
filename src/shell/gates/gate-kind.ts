import type { ContractGate, ContractSources } from "../../core/contract/contract.ts";
import type { Json } from "../../core/contract/gate.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import type { RunContext } from "../run-context.ts";
import type { AdapterList } from "../agents/registry.ts";
import type { GitCaller } from "../git/git.ts";
import type { Disk, Processes } from "../ports.ts";

/**
 * One kind of gate: which gates a run has of it, and how they are asked.
 *
 * @example
 * ```ts
 * import { type GateKind, plainAnswer, runLoop } from "ralph";
 *
 * const moonPhase: GateKind = {
 *   name: "moon-phase",
 *   gatesOf: () => [
 *     {
 *       id: "moon",
 *       kind: "moon-phase",
 *       name: "the moon",
 *       when: "on-claim",
 *       isBeforeDelivery: true,
 *       isAlways: false,
 *       origin: "my program",
 *       limits: { wallMs: null },
 *       tells: "reason",
 *       spec: null,
 *     },
 *   ],
 *   open: () => async () => {
 *     const facts = { exitCode: 0, isTimedOut: false, durationMs: 0, output: { text: "" }, logFile: null };
 *     return plainAnswer([{ ...facts, index: 0, name: "the moon", isPassed: true, reason: "It is full." }]);
 *   },
 * };
 * const agent = (): string => "<promise>DONE</promise>";
 * console.log((await runLoop({ prompt: "Wait for it.", agent, gates: [moonPhase] }).outcome).name); // completed
 * ```
 */
export type GateKind = {
  name: string;
  /** Pure: the same sources give the same gates. */
  gatesOf(sources: ContractSources): ContractGate[];
  /** Rejects with a `RalphError` when these gates could never be asked here. Absent: the kind needs nothing. */
  prepare?(gates: readonly ContractGate[], context: PrepareContext): Promise<void>;
  /** Opens the kind for one run; null where the run lacks what it needs. */
  open(context: GateContext): PerformGate | null;
};

/** Asks one gate. Must not reject; a cut is a result. */
export type PerformGate = (request: GateRequest) => Promise<GateAnswer>;

/** What a gate is asked for. */
export type GateRequest = {
  effectId: number;
  gate: ContractGate;
  iteration: number;
  /** The role of the turn that is judged, `run` where it has none: evidence is kept by it. */
  role: string;
  /** The tree this iteration's gates speak for; null where nobody can tell. */
  candidate: string | null;
  hasClaim: boolean;
  /** A task list may approve something after this turn. */
  mayApprove: boolean;
  isGreenSoFar: boolean;
  /** Gates before this one were not asked: the run is left. */
  isUnproven?: true;
  slot: Json;
  wallMs: number | null;
  signal: AbortSignal;
};

/** A run before it begins: what its gates may look at. */
export type PrepareContext = Pick<RunContext, "frozen" | "adapter" | "command" | "flags" | "env" | "killGraceMs"> & {
  agents: AdapterList;
  disk: Disk;
  processes: Processes;
  /** What was found to be in order before; runs that begin together share it. */
  looked: Set<string>;
};

/** A run as its gates see it. */
export type GateContext = {
  context: Omit<RunContext, "askGate">;
  tools: GateTools;
  own: OwnGates;
};

/** How a run asks gates that only its kind of run can ask, by the gate's kind. */
export type OwnGates = Readonly<Record<string, PerformGate>>;

/** What of the machine gates use. */
export type GateTools = {
  agents: AdapterList;
  /** Starts this program again. */
  selfArgv: readonly string[];
  fingerprint: (directory: string, run?: { runId: string } & GitCaller) => Promise<string>;
};
