import type { AdapterList } from "./agents/registry.ts";
import type { GateKind, GateTools } from "./gates/gate-kind.ts";
import type { MergeTrees } from "./git/trees/merged-tree.ts";
import type { LivenessWorld } from "./supervise/records/run-liveness.ts";
import type { Sink } from "./sinks/sink.ts";
import type { Artefacts, Clock, Disk, Owner, Processes, Store } from "./ports.ts";

/**
 * The world a run lives in: every port, and what is known of this machine. Tests put fakes in its places.
 *
 * @example
 * ```ts
 * import { type Machine, wire } from "ralph";
 *
 * const machine: Machine = await wire({ killGraceMs: 1000 });
 * console.log(machine.host, machine.folder);
 * await machine.store.close();
 * ```
 */
export type Machine = {
  clock: Clock;
  processes: Processes;
  /** What tells whether the processes that records of runs name are alive. */
  liveness: LivenessWorld;
  disk: Disk;
  store: Store;
  artefacts: Artefacts;
  /** Holds the store and the raw streams. */
  folder: string;
  host: string;
  env: Readonly<Record<string, string>>;
  agents: AdapterList;
  /** Starts this program again. */
  selfArgv: readonly string[];
  /** Every kind of gate, in the order of an iteration. */
  gateKinds: readonly GateKind[];
  /** Readers of every run that this machine drives, beside the surface that started it. */
  sinks: readonly Sink[];
  random: () => number;
  killGraceMs: number;
  /**
   * A text that differs when work tree or commits of a directory differ. For the progress of a run, through its own store:
   * when the work tree or what is committed differs.
   */
  fingerprint: GateTools["fingerprint"];
  /** Merges the commits of tasks; absent: by git, beside every work tree. */
  mergeTrees?: MergeTrees;
  /**
   * Whether a driver on this very host is alive, by pid and start time. Must not be asked about another host, where the pid
   * means nothing. Rejects when nobody can tell.
   */
  isOwnerAlive: (owner: Owner) => Promise<boolean>;
};
