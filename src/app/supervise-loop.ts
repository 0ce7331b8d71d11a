import { realpathSync } from "node:fs";
import type { JournalNews, WorkStepNews } from "../core/journal/journal-entry.ts";
import type { Outcome } from "../core/run/outcome.ts";
import { RalphError } from "../core/ralph-error.ts";
import { durationText } from "../core/text/duration.ts";
import { isObject } from "../core/text/is-object.ts";
import { mergeLayers } from "../core/text/merge.ts";
import { thrownText } from "../core/text/thrown-text.ts";
import type { Machine } from "../shell/machine.ts";
import type { Sink } from "../shell/sinks/sink.ts";
import { newRunId } from "../shell/stores/run-id.ts";
import { taskFolderAt } from "../shell/supervise/records/task-folder.ts";
import { functionCommand } from "./functions/own-functions.ts";
import { type RootFunction, withRootFunction } from "./functions/root-function.ts";
import { quietListener } from "./functions/quiet-listener.ts";
import { type HandleSide, openHandle } from "./loop-handle.ts";
import { prepareSupervise } from "./prepare/prepare-supervise.ts";
import {
  aFunction,
  directory,
  milliseconds,
  oneOf,
  type OptionRules,
  readOptions,
  required,
  text,
  wholeNumber,
} from "./read-options.ts";
import { type CommonOptions, commonRules, settingsOf, withMachine } from "./run-loop.ts";
import { startHere } from "./start/start-here.ts";

/**
 * A supervised task whose agent the caller runs.
 *
 * @example
 * ```ts
 * import { mkdirSync } from "node:fs";
 * import { superviseLoop, type SuperviseLoopOptions } from "ralph";
 *
 * mkdirSync("shop/task-001", { recursive: true });
 * const options: SuperviseLoopOptions = { taskDir: "shop/task-001", runRoot: async () => null, maxRestarts: 0 };
 * console.log((await superviseLoop(options)).outcome.name); // exhausted
 * ```
 */
export type SuperviseLoopOptions = Omit<CommonOptions, "agent" | "allowDirty"> & {
  /** Holds DONE, the bus and the runs; must be there. */
  taskDir: string;
  /**
   * Runs the agent once; `attempt` counts from 0. Null: exit code 0. An error with `exitCode` 42 asks to wait without a
   * restart; one that says the program is not there or may not be run ends the loop. Must heed the signal: whoever does not
   * stop within seconds is left alone.
   */
  runRoot: (attempt: number, signal: AbortSignal) => Promise<Error | null> | Error | null;
  projectId?: string;
  taskId?: string;
  /** Runs at most (100); 0 only looks for DONE. */
  maxRestarts?: number;
  restartDelayMs?: number;
  /** How long children are waited for after DONE, and what then becomes of them; as the settings say unless told. */
  waitTimeoutMs?: number;
  onChildTimeout?: "terminate" | "orphan";
  /** How often children are looked at (1 s). */
  pollIntervalMs?: number;
  /** Told what happens, as it happens. What it throws or rejects with is ignored: a listener never ends the loop. */
  onEvent?: (event: SuperviseEvent) => void;
};

/**
 * What happens to a supervised task.
 *
 * @example
 * ```ts
 * import { type SuperviseEvent } from "ralph";
 *
 * const line = (event: SuperviseEvent): string => (event.type === "message" ? event.body : event.type);
 * console.log(line({ type: "waiting", waitsFor: "restart", durationMs: 1000 }));
 * ```
 */
export type SuperviseEvent =
  | { type: "run-started"; attempt: number }
  /** `error` is what `runRoot` returned, or what it rejected with. */
  | { type: "run-ended"; attempt: number; error: Error | null; durationMs: number }
  /** Before the next run, or for children after DONE; `durationMs` is the longest it can take, null without a limit. */
  | { type: "waiting"; waitsFor: "restart" | "children"; durationMs: number | null }
  /** A line that the loop put on the task's bus. */
  | { type: "message"; messageType: string; body: string }
  /** What a person should know: no check is configured, the bus cannot be written. */
  | { type: "warning"; text: string }
  | { type: "ended"; outcome: Outcome };

/**
 * How a loop ended; `error` is null for success: DONE, or a wait without restart.
 *
 * @example
 * ```ts
 * import { type SuperviseLoopEnd } from "ralph";
 *
 * const code = ({ error }: SuperviseLoopEnd): number => (error === null ? 0 : 1);
 * console.log(code({ outcome: { name: "completed", reason: "DONE is there." }, error: null }));
 * ```
 */
export type SuperviseLoopEnd = { outcome: Outcome; error: Error | null };

/**
 * Calls `runRoot` again and again until DONE is there and every check of the project is green, by the rules of `ralph
 * supervise`: a DONE that a check refuses is moved aside as `DONE.refused-<n>`, and `runRoot` is called again. The run is an
 * ordinary one: `ralph status`, `show`, `cancel` know it. Rejects with a `RalphError` when it cannot start.
 *
 * @example
 * ```ts
 * import { mkdirSync, writeFileSync } from "node:fs";
 * import { superviseLoop } from "ralph";
 *
 * mkdirSync("shop/task-001", { recursive: true });
 * const { outcome, error } = await superviseLoop({
 *   taskDir: "shop/task-001",
 *   restartDelayMs: 10,
 *   runRoot: async (attempt) => {
 *     if (attempt === 0) return new Error("The network is down.");
 *     writeFileSync("shop/task-001/DONE", "");
 *     return null;
 *   },
 *   onEvent: (event) => console.log(event.type),
 * });
 * console.log(outcome.name, error); // completed null
 * ```
 */
export async function superviseLoop(options: SuperviseLoopOptions): Promise<SuperviseLoopEnd> {
  const given = readOptions("superviseLoop", options, rules);
  const tell = quietListener(given.onEvent);
  const watch = openWatch(tell);
  const id = newRunId(Date.now(), Math.random);
  const sinks = [watch.sink, ...(given.sinks ?? [])];
  const { outcome: ended } = openHandle({ id, signal: given.signal }, (side) =>
    withMachine({ ...given, sinks }, side.sink, (machine) => {
      const runRoot: RootFunction = async (signal) =>
        given.signal?.aborted === true ? null : callRoot(given.runRoot, { attempt: watch.attempt(), signal, tell });
      const processes = withRootFunction(machine.processes, runRoot);
      return drive({ ...machine, processes }, { id, given, tell, side });
    }),
  );
  const outcome = await ended;
  tell({ type: "ended", outcome });
  return { outcome, error: errorOf(outcome, given.signal) };
}

const rules: OptionRules<SuperviseLoopOptions> = {
  taskDir: required(directory),
  runRoot: required(aFunction),
  projectId: text,
  taskId: text,
  maxRestarts: wholeNumber(0),
  restartDelayMs: milliseconds(0),
  waitTimeoutMs: milliseconds(1),
  pollIntervalMs: milliseconds(1),
  onChildTimeout: oneOf(["terminate", "orphan"]),
  onEvent: aFunction,
  projectDir: commonRules.projectDir,
  checks: commonRules.checks,
  settings: commonRules.settings,
  signal: commonRules.signal,
  sinks: commonRules.sinks,
  agents: commonRules.agents,
  gates: commonRules.gates,
  stateFolder: commonRules.stateFolder,
  store: commonRules.store,
};

type Tell = (event: SuperviseEvent) => void;

/** Tells what the journal says of waits and warnings; knows the attempt that begins. */
function openWatch(tell: Tell): { sink: Sink; attempt: () => number } {
  let iteration = 0;
  const entry = (news: JournalNews | WorkStepNews): void => {
    if (news.kind === "note" && news.level === "warning") tell({ type: "warning", text: news.text });
    if (news.kind !== "step") return;
    for (const effect of news.effects) {
      if (effect.type === "begin-turn") iteration = effect.iteration;
      if (effect.type === "set-timer") tell({ type: "waiting", waitsFor: "restart", durationMs: effect.durationMs });
    }
  };
  return { sink: { entry, agentEvent: () => {} }, attempt: () => iteration - 1 };
}

type Call = { attempt: number; signal: AbortSignal; tell: Tell };

async function callRoot(runRoot: SuperviseLoopOptions["runRoot"], { attempt, signal, tell }: Call) {
  const startedMs = performance.now();
  tell({ type: "run-started", attempt });
  const error = await errorOfRoot(() => runRoot(attempt, signal));
  tell({ type: "run-ended", attempt, error, durationMs: Math.round(performance.now() - startedMs) });
  return error;
}

async function errorOfRoot(call: () => ReturnType<SuperviseLoopOptions["runRoot"]>): Promise<Error | null> {
  try {
    return asError(await call());
  } catch (cause) {
    return asError(cause) ?? new Error(thrownText(cause));
  }
}

/** A program in JavaScript may return or throw anything; nothing at all is null. */
function asError(found: unknown): Error | null {
  if (found === null || found === undefined) return null;
  return found instanceof Error ? found : new Error(thrownText(found));
}

type Driving = { id: string; given: SuperviseLoopOptions; tell: Tell; side: HandleSide };

async function drive(machine: Machine, { id, given, tell, side }: Driving): Promise<{ outcome: Outcome }> {
  const talk = { ...side.talk, say: (line: string) => tell({ type: "warning", text: line }), introduce: () => {} };
  const { projectDir, loaded } = await settingsOf(
    machine,
    { ...given, settings: settingsGiven(given) },
    { caller: "superviseLoop", say: talk.say },
  );
  const frozen = await prepareSupervise(machine, {
    projectDir,
    folder: taskFolderAt(realpathSync(given.taskDir)),
    loaded,
    prompt: { text: "Run the agent of this task." },
    flags: null,
    pollMs: given.pollIntervalMs ?? null,
    limits: {
      restartsMax: given.maxRestarts ?? null,
      restartDelayMs: given.restartDelayMs ?? null,
      turnIdleMs: null,
      turnWallMs: null,
    },
    projectId: given.projectId ?? null,
    taskId: given.taskId ?? null,
    isFresh: false,
  });
  const connection = { ...side.connectionOf(id), onSupervised: tell };
  return startHere(machine, { frozen, talk, isDirtyAllowed: true, id }, connection);
}

/** The settings of the caller; a function has no output that could be idle. */
function settingsGiven({ settings = {}, waitTimeoutMs, onChildTimeout }: SuperviseLoopOptions) {
  const wait = waitTimeoutMs === undefined ? undefined : durationText(waitTimeoutMs);
  const children = { wait, onTimeout: onChildTimeout };
  const agent = { command: functionCommand, promptVia: "stdin", idleTimeout: null };
  const merged = mergeLayers(settings, { agent, children });
  return isObject(merged) ? merged : {};
}

function errorOf({ name, reason }: Outcome, signal: AbortSignal | undefined): Error | null {
  if (name === "completed" || name === "waiting") return null;
  if (name === "exhausted") return new RalphError("supervised", "max restarts exceeded");
  if (name === "cancelled" && signal?.reason instanceof Error) return signal.reason;
  return new RalphError("supervised", reason);
}
