import type { CheckProgress } from "../core/contract/check-progress.ts";
import type { FrozenRun } from "../core/settings/run/frozen-run.ts";
import type { AgentAdapter } from "./agents/adapter.ts";
import type { Artefacts, Clock, Disk, KeepText, Processes, Store } from "./ports.ts";
import type { Effect } from "../core/run/effect.ts";
import type { GateAnswer } from "../core/run/observation.ts";
import type { RunSeal } from "./seal/run-seal.ts";
import type { RunSink } from "./sinks/sink.ts";

/** Carries out the engine's order to ask a gate. */
export type AskGate = (effect: Extract<Effect, { type: "run-gate" }>, signal: AbortSignal) => Promise<GateAnswer>;

/** Everything the performers of one run share. */
export type RunContext = {
  runId: string;
  frozen: FrozenRun;
  clock: Clock;
  processes: Processes;
  disk: Disk;
  store: Store;
  sink: RunSink;
  /** Asks a gate of the contract. */
  askGate: AskGate;
  artefacts: Artefacts;
  /** The state folder; the git store of the run lies in it. */
  folder: string;
  /** The environment ralph was started with. */
  env: Readonly<Record<string, string>>;
  adapter: AgentAdapter;
  adapters: readonly AgentAdapter[];
  /** The agent program as configured, and its flags split into argv items. */
  command: string;
  flags: readonly string[];
  /** Variables for the agent's process alone. */
  agentEnv: Readonly<Record<string, string>>;
  killGraceMs: number;
  keepText: KeepText;
  /** A text that differs when work tree or commits differ; null when nobody needs to know. For the effect at work. */
  fingerprint: (effectId: number) => Promise<string | null>;
  /** Leaves a remark in the journal. Must not reject. */
  note: (level: "info" | "warning", text: string) => Promise<void>;
  /** A check starts (no verdict) or has ended. */
  onCheck: (progress: CheckProgress) => void;
  /** Where the checks of a claim run sealed; absent: in the tree that the agent works in. */
  seal?: RunSeal;
  /** The prompt of a turn, just before it is sent. Must not throw. */
  onPrompt?: (prompt: string) => void;
  /** What the agent prints on standard error. */
  onStderr: (chunk: Uint8Array) => Promise<void> | undefined;
};
