import { emptyReport, isFailedTurn, type TurnReport } from "../core/agents/turn-report.ts";
import type { Outcome } from "../core/run/outcome.ts";
import type { Request } from "../core/run/observation.ts";
import type { PendingEffect } from "../core/run/effect.ts";
import { newRun } from "../core/run/state.ts";
import { assert } from "../core/assert.ts";
import { RalphError } from "../core/ralph-error.ts";
import { durationText } from "../core/text/duration.ts";
import { parseSettings } from "../core/settings/parse-settings.ts";
import { restartLimitsDefault, supervisePolicy } from "../core/settings/run/supervise-policy.ts";
import { isTurnSkipped } from "../core/supervise/supervised-turn.ts";
import { createDisk } from "../shell/lib/disk.ts";
import { driveRun, outcomeOf } from "../shell/drivers/outer-driver.ts";
import type { News } from "../shell/perform/news.ts";
import { createProcesses } from "../shell/processes/processes.ts";
import { realClock } from "../shell/lib/real-clock.ts";
import { createMemoryStore } from "../shell/stores/memory/memory-store.ts";
import { children } from "../shell/gates/children.ts";
import { askChildren } from "../shell/supervise/ask-children.ts";
import { freezeContract } from "../shell/gates/freeze-contract.ts";
import type { ChildEnding } from "../shell/supervise/children-gate.ts";
import { endTask } from "../shell/supervise/end-of-task.ts";
import { createLivenessWorld } from "../shell/supervise/run-liveness.ts";
import { openSupervision, reasonOf, type Supervision } from "../shell/supervise/supervision.ts";
import { supervisedBefore, skippedReport, withSupervised } from "../shell/supervise/task-end.ts";
import { idsOfFolder, taskFolderAt } from "../shell/supervise/task-folder.ts";
import {
  abortSignal,
  aFunction,
  aSink,
  directory,
  listOf,
  milliseconds,
  oneOf,
  type OptionRules,
  readOptions,
  required,
  text,
  wholeNumber,
} from "./read-options.ts";
import { mountSinks } from "../shell/sinks/mount-sinks.ts";
import type { Sink } from "../shell/sinks/sink.ts";

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
export type SuperviseLoopOptions = {
  /** Holds DONE, the bus and the runs; must be there. */
  taskDir: string;
  /**
   * Runs the agent once; `attempt` counts from 0. Null: exit code 0. An error with `exitCode` 42 asks to wait without a
   * restart; one that says the program is not there or may not be run ends the loop. Must heed the signal.
   */
  runRoot: (attempt: number, signal: AbortSignal) => Promise<Error | null>;
  projectId?: string;
  taskId?: string;
  /** Runs at most (100); 0 only looks for DONE. */
  maxRestarts?: number;
  restartDelayMs?: number;
  /** How long children are waited for after DONE (5 min), and how often they are looked at (1 s). */
  waitTimeoutMs?: number;
  pollIntervalMs?: number;
  onChildTimeout?: "terminate" | "orphan";
  /** Ends the loop and the run at work. */
  signal?: AbortSignal;
  /** Readers of the loop's steps. */
  sinks?: Sink[];
  /** Told what happens, as it happens. What it throws is ignored: a listener never ends the loop. */
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
  /** Trouble beside the task, such as a bus that cannot be written. */
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
 * Calls `runRoot` again and again until DONE is there, by the rules of `ralph supervise`, and keeps nothing but the bus.
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
  readOptions("superviseLoop", options, rules);
  const signal = options.signal ?? new AbortController().signal;
  const task = taskFolderAt(options.taskDir);
  const processes = createProcesses();
  const order = {
    taskDir: task.path,
    ...idsOfFolder(task),
    ...(options.projectId === undefined ? {} : { projectId: options.projectId }),
    ...(options.taskId === undefined ? {} : { taskId: options.taskId }),
    pollMs: options.pollIntervalMs ?? 1000,
    onChildTimeout: options.onChildTimeout ?? ("terminate" as const),
  };
  const tell = teller(options.onEvent);
  const note: Supervision["note"] = async (_, remark) => tell({ type: "warning", text: remark });
  const opened = openSupervision({
    task: order,
    disk: createDisk(),
    world: createLivenessWorld(),
    clock: realClock,
    identities: processes,
    note,
  });
  const say: Supervision["say"] = async (messageType, body, runId) => {
    await opened.say(messageType, body, runId);
    tell({ type: "message", messageType, body });
  };
  const supervision = { ...opened, say };
  const ending = { processes, killGraceMs };
  const state = await drive(options, { supervision, ending, signal, tell });
  await endTask(supervision, state, ending);
  const outcome = outcomeOf(state);
  tell({ type: "ended", outcome });
  return { outcome, error: errorOf(outcome, signal) };
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
  signal: abortSignal,
  sinks: listOf(aSink),
  onEvent: aFunction,
};

/** SIGTERM to SIGKILL for children that outlive the wait. */
const killGraceMs = 5000;

type Tell = (event: SuperviseEvent) => void;

function teller(onEvent: SuperviseLoopOptions["onEvent"]): Tell {
  return (event) => {
    try {
      onEvent?.(event);
    } catch {
      // As documented: the listener's own trouble, not the task's.
    }
  };
}

type Loop = { supervision: Supervision; ending: ChildEnding; signal: AbortSignal; tell: Tell };

async function drive(options: SuperviseLoopOptions, loop: Loop) {
  const settings = parseSettings([
    { source: "options", value: { children: { wait: durationText(options.waitTimeoutMs ?? 300_000) } } },
  ]);
  const restarts = supervisePolicy(settings, {
    ...restartLimitsDefault,
    restartsMax: options.maxRestarts ?? restartLimitsDefault.restartsMax,
    restartDelayMs: options.restartDelayMs ?? restartLimitsDefault.restartDelayMs,
  });
  const projectDir = loop.supervision.task.path;
  const prompt = { kind: "text" as const, text: "" };
  const unbound = {
    version: "0",
    projectDir,
    prompt,
    settings,
    settingsFiles: {},
    policy: restarts,
    startCommit: null,
  };
  const frozen = await freezeContract([children], unbound);
  const { policy } = frozen;
  const self = await loop.supervision.keeping.identities.self();
  const store = createMemoryStore();
  const run = { id: "loop", kind: policy.kind, directory: projectDir, parentId: null, frozen, state: newRun(policy) };
  const createdAt = realClock.now();
  await store.create({ ...run, createdAt }, { ...self, host: "" }, []);
  return driveRun(
    {
      clock: realClock,
      store,
      sink: mountSinks(options.sinks ?? [], run.id),
      run: { id: run.id, epoch: 1 },
      perform: async (effect, signal, post) => {
        const news = await perform(effect, { ...loop, signal }, { options, self, post });
        if (news !== null) post(news);
      },
      onRequest: (listener) => listenTo(loop.signal, listener),
      // The caller's own function is waited for: only the caller knows how to end it.
      backstop: null,
    },
    run.state,
    { type: "run-started" },
  );
}

function listenTo(signal: AbortSignal, listener: (request: Request) => void): () => void {
  const cancel = (): void => listener("cancel");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return () => signal.removeEventListener("abort", cancel);
}

type Calling = {
  options: SuperviseLoopOptions;
  self: { pid: number; startTime: string };
  post: (news: News) => void;
};

async function perform(effect: PendingEffect, loop: Loop, calling: Calling): Promise<News | null> {
  const effectId = effect.id;
  if (effect.type === "set-timer") {
    loop.tell({ type: "waiting", waitsFor: "restart", durationMs: effect.durationMs });
    return (await realClock.wait(effect.durationMs, loop.signal)) ? { type: "timer-fired", effectId } : null;
  }
  if (effect.type === "run-gate") {
    const { wallMs } = effect;
    const answer = await askChildren(toldWait(loop, wallMs), loop.ending, { wallMs, signal: loop.signal });
    return { type: "gate-finished", effectId, ...answer };
  }
  assert(effect.type === "begin-turn", "a supervised loop has neither tasks nor delivery");
  const found = supervisedBefore(loop.supervision);
  const { isRecheck } = effect;
  const isSkipped =
    "kind" in found || isTurnSkipped({ isDone: found.isDone, isWaiting: found.waiting !== null, isRecheck });
  if (isSkipped || loop.signal.aborted)
    return { type: "turn-ended", effectId, report: { ...skippedReport(found), isCut: loop.signal.aborted } };
  calling.post({ type: "turn-started", effectId, ...calling.self });
  return { type: "turn-ended", effectId, report: await callRoot(effect.iteration - 1, loop, calling.options) };
}

/** The same supervision, which reports its first wait for children. */
function toldWait({ supervision, tell }: Loop, durationMs: number | null): Supervision {
  let isTold = false;
  const wait: typeof realClock.wait = (waitMs, signal) => {
    if (!isTold) tell({ type: "waiting", waitsFor: "children", durationMs });
    isTold = true;
    return realClock.wait(waitMs, signal);
  };
  return { ...supervision, keeping: { ...supervision.keeping, clock: { ...realClock, wait } } };
}

async function callRoot(attempt: number, loop: Loop, { runRoot }: SuperviseLoopOptions): Promise<TurnReport> {
  const { supervision, signal, tell } = loop;
  const startedAt = realClock.now();
  const startedMs = realClock.upMs();
  await supervision.say("INFO", `starting root agent (restart #${attempt})`);
  tell({ type: "run-started", attempt });
  const error = await runRoot(attempt, signal).catch((cause: unknown) =>
    cause instanceof Error ? cause : new Error(String(cause)),
  );
  tell({ type: "run-ended", attempt, error, durationMs: Math.round(realClock.upMs() - startedMs) });
  const report = await withSupervised({ ...reportOf(error), isCut: signal.aborted }, supervision, startedAt);
  if (isFailedTurn(report) && !report.isCut)
    await supervision.say("WARNING", `root agent failed on restart #${attempt}: ${reasonOf(error)}`);
  return report;
}

function reportOf(error: Error | null): TurnReport {
  if (error === null) return { ...emptyReport, exitCode: 0 };
  const errorOutput = error.message;
  if (isFatal(error)) return { ...emptyReport, startError: { kind: "not-found", message: error.message } };
  const exitCode = "exitCode" in error && typeof error.exitCode === "number" ? error.exitCode : 1;
  return { ...emptyReport, exitCode, errorOutput };
}

/** Not there, not allowed, or wrongly configured: trying again is useless (S3-33). */
function isFatal(error: Error): boolean {
  if (error instanceof RalphError) return ["usage", "settings", "agent", "prompt"].includes(error.code);
  return "code" in error && (error.code === "ENOENT" || error.code === "EACCES");
}

function errorOf({ name, reason }: Outcome, signal: AbortSignal): Error | null {
  if (name === "completed" || name === "waiting") return null;
  if (name === "exhausted") return new RalphError("supervised", "max restarts exceeded");
  if (name === "cancelled" && signal.reason instanceof Error) return signal.reason;
  return new RalphError("supervised", reason);
}
