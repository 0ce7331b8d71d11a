import type { AgentEvent } from "../core/agents/agent-event.ts";
import type { StartError } from "../core/agents/turn-report.ts";
import type { TextRef } from "../core/verification/verdict.ts";
import type { Effect } from "../core/run/effect.ts";
import type { Observation } from "../core/run/observation.ts";
import type { Outcome } from "../core/run/outcome.ts";
import type { RunKind } from "../core/contract/run-kind.ts";
import type { RunState } from "../core/run/state.ts";
import type { JournalChain } from "../core/journal/chain.ts";
import type { JournalEntry, JournalNews } from "../core/journal/journal-entry.ts";
import type { FrozenRun } from "../core/settings/run/frozen-run.ts";
import type { WorkEffect } from "../core/work/work-effect.ts";
import type { WorkObservation } from "../core/work/work-observation.ts";
import type { TaskStore } from "./task-store.ts";

/** Time. `now` may jump with the wall clock; `upMs` never goes back and starts near zero with the program. */
export type Clock = {
  now(): number;
  upMs(): number;
  /**
   * Resolves true after `durationMs`, false when aborted before. Must not reject. A wait in the background does not keep
   * the program alive by itself.
   */
  wait(durationMs: number, signal: AbortSignal, place?: "background"): Promise<boolean>;
};

/**
 * A living process, recognised across restarts by its start time: a pid alone is reused. `namespace`: the PID namespace in which
 * the pid means this process; absent: that of whoever reads it, or of a record that does not tell.
 */
export type ProcessIdentity = { pid: number; startTime: string; namespace?: string };

/**
 * What a process is started for; a sandbox decides by it. `agent`: a turn, or another question to the agent; `judge`: a
 * verdict; `check`: a command of the contract; `git`: a look or a change of ours; `delivery`: commit, push, pull request;
 * `tool`: anything else of ours.
 */
export type ProcessPurpose = "agent" | "judge" | "check" | "git" | "delivery" | "tool";

/** What to start. No shell: `argv[0]` is the program. */
export type ProcessOrder = {
  purpose: ProcessPurpose;
  argv: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited beyond it. */
  env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. Null: standard input is empty from the start. */
  stdin: string | Uint8Array | null;
  /**
   * Value of `RALPH_TURN` in `env`; every descendant that still carries it, or one below it (`<marker>/…`), belongs to
   * this order. So processes side by side are told apart, and all of them are found by what they have in common.
   */
  turnMarker: string;
  idleMs: number | null;
  wallMs: number | null;
  /** Between SIGTERM and SIGKILL. */
  killGraceMs: number;
  /** Output as it comes, in memory that the next chunk overwrites. A returned promise holds the stream back. Must not throw. */
  onStdout(chunk: Uint8Array): Promise<void> | undefined;
  onStderr(chunk: Uint8Array): Promise<void> | undefined;
  /**
   * Asked once, before what is left over is ended: processes and groups, by number, that stay alive with all their
   * descendants. Must not reject.
   */
  exempt?(): Promise<ReadonlySet<number>>;
  /** The settings want no PID namespace around this one. */
  isUncontained?: boolean;
};

/** Facts about an ended process. All of its descendants were ended too, but for `survivors`. */
export type ProcessEnd = {
  exitCode: number | null;
  signal: string | null;
  timedOut: "idle" | "wall" | null;
  /** `cut` was called before it ended by itself. */
  isCut: boolean;
  /** SIGKILL was needed. */
  isForced: boolean;
  /** Descendants left over by it that had to be ended. */
  leftoverCount: number;
  survivors: number[];
  durationMs: number;
  /** Only of a function in the place of a program: what it needs is not there, and no other try will find it. */
  startError?: StartError;
};

export type RunningProcess = {
  identity: ProcessIdentity;
  /** The PID namespace that it made for what it starts. */
  ownNamespace?: string;
  /** Settles when the process, its output and all its descendants are gone. Must not reject. */
  ended: Promise<ProcessEnd>;
  /** Ends the whole tree: SIGTERM, grace, SIGKILL. Idempotent. */
  cut(): void;
  /** From now on, `ms` without output end the process as if it had ended by itself (a result was seen). */
  endAfterSilence(ms: number): void;
};

export type ProcessStart =
  | { isStarted: true; process: RunningProcess }
  | { isStarted: false; kind: "not-found" | "not-executable" | "bad-directory" | "resources"; message: string };

/** What to run in the foreground of the terminal of the person who asked for it. */
export type TerminalProgram = Pick<ProcessOrder, "purpose" | "argv" | "cwd" | "env">;

/** How a program on the terminal ended; `message` is what the system said when it could not be started. */
export type TerminalEnd =
  | { isStarted: true; exitCode: number | null; signal: string | null }
  | { isStarted: false; message: string };

/** Processes of this machine. */
export type Processes = {
  /** Starts `order` in a process group of its own. Must not reject; a failed start is a result. */
  start(order: ProcessOrder): Promise<ProcessStart>;
  /**
   * Runs `program` in our own process group with our standard input and output until it ends: a conversation or an editor
   * needs both. Without limits, and what it starts is its own; Ctrl-C is the program's and does not end us meanwhile. Must
   * not reject; a failed start is a result.
   */
  runOnTerminal(program: TerminalProgram): Promise<TerminalEnd>;
  /**
   * Whether exactly this process is alive. A process of another user counts as alive, and one of another PID namespace while
   * that namespace lives, or may live where it cannot be seen.
   */
  isAlive(identity: ProcessIdentity): boolean;
  /**
   * Why what a turn leaves behind may outlive it here, as a clause; null: the kernel ends it with the turn. Absent where turns are
   * no processes of this machine. Must not reject.
   */
  whyUncontained?: () => Promise<string | null>;
  /** The identity of this very process. */
  self(): Promise<ProcessIdentity>;
  /**
   * Ends what a dead driver left behind: the recorded process with its group and descendants, and every process of
   * ours whose environment carries `RALPH_TURN=<marker>`; those of `exempt`, as in an order, stay. Returns how many
   * were ended and which could not be.
   */
  endLeftovers(
    turnMarker: string,
    recorded: ProcessIdentity | null,
    killGraceMs: number,
    exempt?: ReadonlySet<number>,
  ): Promise<{ ended: number; survivors: number[] }>;
};

/** A file that takes any amount of output and keeps its head and its tail. */
export type LogFile = {
  /** Returns a promise only when the caller has to wait (back-pressure). Never rejects; see `close`. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** `problem` says why output could not be kept (disk full); the run continues. */
  close(): Promise<{ bytes: number; droppedBytes: number; problem: string | null }>;
};

/** What stands at a path: the thing itself, for a link is never followed. `other`: a link, a pipe, a device. */
export type DiskEntry = {
  kind: "file" | "folder" | "other";
  bytes: number;
  /** By the wall clock, when its content last changed. */
  changedAt: number;
  /** Names the file whatever its path; another file gets it only after this one is gone. */
  identity: string;
};

/** An open regular file. It stays this very file, whatever its path comes to name. */
export type OpenFile = {
  /** As it was when it was opened. */
  entry: DiskEntry;
  size(): number;
  /** Fills `buffer` from `position` on and returns how many bytes there were; 0: the file ends there. */
  read(buffer: Uint8Array, position: number): number;
  /** One write at the end that no other append can come into. Returns how many bytes the disk took. */
  append(bytes: Uint8Array): number;
  close(): void;
};

/**
 * Files that agents and other programs write too. Nothing here follows a link at the end of a path. All of it happens at
 * once: each call takes microseconds, and a lock or an append must not wait in a queue. Throws what the system says.
 */
export type SharedFiles = {
  /** Null when nothing is there. */
  look(path: string): DiskEntry | null;
  /** Names in a folder, in any order; null when there is no such folder. */
  list(folder: string): { name: string; kind: DiskEntry["kind"] }[] | null;
  /** Opens a regular file, for appending also one that is made then; anything else throws. Null when it is not there. */
  open(path: string, purpose: "read" | "append"): OpenFile | null;
  /** Makes a file with this text, and its parent folders. False when anything stands there: of many, one makes it. */
  createOnce(path: string, text: string): boolean;
  rename(from: string, to: string): void;
  /** Removes a file or a link, if it is there. Never a folder. */
  remove(path: string): void;
};

/** The file system, as far as the loop touches it. */
export type Disk = SharedFiles & {
  /**
   * The text of a regular file, or of one that `path` links to. Null when there is no such file; rejects with a
   * `RalphError` for a pipe, a device, a folder, a file above `bytesMax` (16 MiB) and any other fault. Never blocks.
   */
  readText(path: string, bytesMax?: number): Promise<string | null>;
  /**
   * Temp file, fsync, rename; never through a link. Creates parent folders. `mode` is that of a program or of a file for its
   * owner alone, which makes new folders so too; else that of any new file. Rejects when it cannot, leaving the old content.
   * `unsynced`: without the fsync, for files that no run depends on; after a power cut the file may be empty or missing.
   */
  writeAtomic(path: string, content: string | Uint8Array, mode?: number, sync?: "unsynced"): Promise<void>;
  /**
   * Creates parent folders. Must not reject: a fault shows in `close`. A `private` log, and each folder made for it, is
   * for its owner alone.
   */
  openLog(path: string, keepBytesMax: number, access?: "private"): LogFile;
  /** Head and tail of a file written by `openLog`, in order. Empty when there is none. */
  readLog(path: string): AsyncIterable<Uint8Array>;
};

/** Who drives a run: enough to tell later whether that driver still lives. */
export type Owner = ProcessIdentity & { host: string };

/**
 * The right to drive a run. `epoch` fences: it is raised whenever the lease passes on, and a write with an older one is
 * refused. `expiresAt` is for other hosts alone; null: stored by a version that did not renew, so time never ends it.
 */
export type Lease = { runId: string; owner: Owner; epoch: number; expiresAt: number | null };

/** Whether the driver that held this very lease, in this epoch, was alive when somebody looked. It says nothing of another. */
export type LivenessAnswer = Omit<Lease, "expiresAt"> & { isAlive: boolean };

export type NewRun = {
  id: string;
  kind: RunKind;
  /** The locked directory: the project, or the task directory of a supervised task. */
  directory: string;
  parentId: string | null;
  frozen: FrozenRun;
  state: RunState;
  createdAt: number;
};

export type RunRecord = NewRun & {
  /** With `owner` and `expiresAt` the lease of the run. */
  epoch: number;
  /** Null when nobody drives it. */
  owner: Owner | null;
  expiresAt: number | null;
  updatedAt: number;
  endedAt: number | null;
  outcome: Outcome | null;
};

/** An event of an agent's stream as it is remembered: body cut at 2 KB. */
export type AgentEventRecord = { runId: string; effectId: number; seq: number; at: number; event: AgentEvent };

/** One step of a run, or of a work run, whose state holds its tasks beside the fields of every run. */
export type StepCommit = { runId: string; epoch: number; at: number; state: RunState } & (
  | { kind?: "step"; observation: Observation; effects: Effect[] }
  | { kind: "work-step"; observation: WorkObservation; effects: WorkEffect[] }
);

/** Which runs are meant. `isHeld`: only those that a driver, living or dead, holds. */
export type RunFilter = { directory: string | null; limit: number | null } & RunTraits;

/** `isTop`: without the runs that have a parent. */
type RunTraits = { parentId?: string; isTop?: true; isHeld?: true; kind?: RunRecord["kind"] };

/** A run that this version cannot use, with the reason as a sentence. */
export type UnusableRun = { id: string; directory: string; problem: string };

/**
 * Taking a run fails when a living driver holds the directory. With `unknown` leases nobody knows yet: the caller looks
 * whether their drivers are alive and tries again with the answers. Nothing was changed then.
 */
export type Taken =
  | { isTaken: true; epoch: number; record: RunRecord }
  | { isTaken: false; holder: RunRecord; unknown: Lease[] };

/** What another process asks of a run, in the order of asking. */
export type AskedRequest = { seq: number; request: "cancel" | "pause" | "go-on"; at: number };

/**
 * Runs, journal, agent events, requests and blobs. Every write of a driver to its run is fenced: it carries the epoch that
 * `take` gave, and rejects with code `lost-lock` once another driver took the run. A write is durable when it resolves;
 * agent events, and news of a turn or a role at work that orders nothing, survive a power cut only from the next write on.
 *
 * @example
 * ```ts
 * import { type Store, wire } from "ralph";
 *
 * const newest = async (store: Store): Promise<string | null> => {
 *   const [run] = await store.list({ directory: process.cwd(), limit: 1 });
 *   return run?.id ?? null;
 * };
 * const { store } = await wire();
 * console.log(await newest(store));
 * await store.close();
 * ```
 */
export type Store = TaskStore & {
  /**
   * Creates the run and takes its directory in one transaction. Leases of drivers on the owner's host are judged by
   * `answers` alone, those of other hosts by their end and the clock of the store.
   */
  create(run: NewRun, owner: Owner, answers: readonly LivenessAnswer[]): Promise<Taken>;
  /**
   * Takes an existing run (for resume or to write its end), raising its epoch, and removes the leases of its children whose
   * drivers are dead. A run of an older version is one of this
   * version from then on, and its journal says so; one that cannot be used rejects with code `store`.
   */
  take(runId: string, owner: Owner, answers: readonly LivenessAnswer[]): Promise<Taken>;
  /**
   * Moves the end of a lease to 30 s from now by the store's own clock, also when it has passed. Rejects with code
   * `lost-lock` when the lease passed on or was given up; then its driver has to end.
   */
  renew(lease: Pick<Lease, "runId" | "epoch">): Promise<void>;
  /** Gives up the directory. Idempotent. */
  release(runId: string, epoch: number): Promise<void>;
  /** Observation, state and effects in one transaction. Also ends or reopens the record as `state.outcome` says. */
  commit(step: StepCommit): Promise<void>;
  note(entry: { runId: string; epoch: number; at: number; level: "info" | "warning"; text: string }): Promise<void>;
  /**
   * Adds an ended run that was driven outside of this store, with its whole journal, and takes no directory. Idempotent:
   * entries are numbered from 1, and those that are there already are left as they are.
   */
  importRun(run: NewRun, journal: readonly JournalNews[], endedAt: number): Promise<void>;
  /** Numbers them per run in the order of arrival; keeps the first 5 000 of a turn. All of them or none. */
  appendAgentEvents(
    lease: Pick<Lease, "runId" | "epoch">,
    events: Omit<AgentEventRecord, "runId" | "seq">[],
  ): Promise<void>;
  ask(runId: string, request: AskedRequest["request"], at: number): Promise<void>;
  readRequests(runId: string, afterSeq: number): Promise<AskedRequest[]>;
  putBlob(text: string): Promise<string>;
  getBlob(hash: string): Promise<string | null>;
  /** By whole id, else all whose id begins with it, else all whose id has it anywhere. Rejects with code `store` when this version cannot use the run. */
  find(part: string): Promise<RunRecord[]>;
  /** Newest first. `directory` null: all projects. With `parentId` only the children of that run. */
  list(filter: RunFilter): Promise<RunRecord[]>;
  /** The runs that `list` leaves out because this version cannot use them. */
  listUnusable(filter: RunFilter): Promise<UnusableRun[]>;
  /** Entries after `afterSeq`, unchanged. The first of a chain has in its body what `hashFrozen` makes of the run's start. */
  readChain(runId: string, afterSeq: number, limit: number): Promise<JournalChain>;
  readJournal(runId: string, afterSeq: number, limit: number): Promise<JournalEntry[]>;
  readAgentEvents(runId: string, afterSeq: number, limit: number): Promise<AgentEventRecord[]>;
  /** Removes ended runs older than `days`, and the oldest ones while the store is larger than `bytesMax`. */
  prune(keep: { days: number; bytesMax: number }, now: number): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * What is kept of a run beside the rows of the store. `stream`: the raw output of a turn; `usage`: what its agent wrote of
 * its own use; `turn-text`: the words of a turn, for who judges them; `answer`: an agent's answer to a question; `delivery`:
 * how far a delivery got; `check`: the output of a check, the evidence of its verdict; `receipt`: which tree a run has verified.
 */
export type ArtefactKind = "stream" | "usage" | "turn-text" | "answer" | "delivery" | "check" | "receipt";

/** Names one artefact. A name is made of letters, digits, `_`, `-` and dots, that of a check begins with its role: `coder/001_make`. */
export type Artefact = { runId: string; kind: ArtefactKind; name: string };

/** The files of a run and how much they take. `changedAt`: when a file was last added, by the wall clock. */
export type KeptFiles = { runId: string; bytes: number; changedAt: number };

/**
 * Everything large that is kept of runs, for this user alone. Every call rejects or throws on a name that could lead out of
 * the run, which is a fault of the caller.
 */
export type Artefacts = {
  /** Replaces what is there: a reader finds the former content or all of this. Durable when it resolves. */
  put(artefact: Artefact, content: string | Uint8Array): Promise<void>;
  /**
   * Opens a log that keeps head and tail beyond `keepBytesMax`. Where one of that name is, `replace` puts the new one in its
   * place and `number` adds a number to the name, so that nothing is overwritten; `artefact` is what was opened. A fault of
   * the disk shows in `close`.
   */
  append(artefact: Artefact, keepBytesMax: number, taken: "replace" | "number"): LogFile & { artefact: Artefact };
  /** The text, or null when there is none. Rejects above `bytesMax` (16 MiB). */
  read(artefact: Artefact, bytesMax?: number): Promise<string | null>;
  /** Head and tail of what `append` kept, in order. Empty when there is none. */
  readLog(artefact: Artefact): AsyncIterable<Uint8Array>;
  /** The names of one kind, sorted. */
  list(runId: string, kind: ArtefactKind): Promise<string[]>;
  /** Every run that has files, also one whose rows are gone. */
  sizes(): Promise<KeptFiles[]>;
  /** Removes all artefacts of a run. Idempotent. */
  remove(runId: string): Promise<void>;
  /**
   * A path on this host, for people and for a program that reads or writes the artefact itself; a store elsewhere has to
   * fetch it before and take it back after. Nothing need be there.
   */
  localPath(artefact: Artefact): string;
};

/** Stores a long text as a blob, keeps a short one in place. */
export type KeepText = (text: string) => Promise<TextRef>;
