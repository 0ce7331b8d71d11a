import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../core/ralph-error.ts";
import { isObject } from "../core/text/is-object.ts";
import type { AgentAdapter } from "../shell/agents/adapter.ts";
import { chooseAdapter } from "../shell/agents/registry.ts";
import type { GateKind } from "../shell/gates/gate-kind.ts";
import type { Machine } from "../shell/machine.ts";
import type { Store } from "../shell/ports.ts";
import type { Sink } from "../shell/sinks/sink.ts";
import { newRunId } from "../shell/stores/run-id.ts";
import { gateKinds, wire } from "../shell/wire.ts";
import { type AgentFunction, withAgentFunction } from "./functions/agent-function.ts";
import { ownAdapter, requireInvocation } from "./functions/own-adapter.ts";
import { ownGateKinds } from "./functions/own-gates.ts";
import { functionCommand } from "./functions/own-functions.ts";
import { type CheckFunction, checkFunctions } from "./functions/check-function.ts";
import { type LoopHandle, openHandle } from "./loop-handle.ts";
import { prepareRun } from "./prepare/prepare-run.ts";
import { loadRunSettings } from "./prepare/load-run-settings.ts";
import {
  abortSignal,
  anObject,
  anyText,
  aSink,
  directory,
  fieldsOr,
  flag,
  listOf,
  type OptionRules,
  readOptions,
  required,
  ruleOf,
  text,
} from "./read-options.ts";
import { startHere } from "./start/start-here.ts";
import { aGateKind, anAdapter, aStore } from "./wire-machine.ts";

/**
 * The agent of a loop: a program by name, with its settings, or a function of yours.
 *
 * @example
 * ```ts
 * import { type LoopAgent } from "ralph";
 *
 * const agents: LoopAgent[] = ["my-agent", { command: "other-agent", flags: ["--fast"] }, () => "<promise>DONE</promise>"];
 * console.log(agents.length);
 * ```
 */
export type LoopAgent = string | { command: string; flags?: string[]; model?: string } | AgentFunction;

/**
 * What every loop of the library takes.
 *
 * @example
 * ```ts
 * import { type CommonOptions, runLoop } from "ralph";
 *
 * const common: CommonOptions = { agent: () => "<promise>DONE</promise>", checks: ["true"], stateFolder: "state" };
 * console.log((await runLoop({ ...common, prompt: "Say that it is done." }).outcome).name); // completed
 * ```
 */
export type CommonOptions = {
  /** The project; the working directory unless told. */
  projectDir?: string;
  agent?: LoopAgent;
  /** Commands and functions beside the guardrails and criteria of the project: all of them must be green. */
  checks?: (string | CheckFunction)[];
  /** As in a settings file; these win over the project's. */
  settings?: Record<string, unknown>;
  /** Cancels the run. */
  signal?: AbortSignal;
  /** Start although tracked files have changes that are not committed. */
  allowDirty?: boolean;
  /** Readers of the run while it happens, and of the role runs of a work run. */
  sinks?: Sink[];
  /** Adapters for agent programs that ralph does not know. */
  agents?: AgentAdapter[];
  /** Kinds of gates of your own. */
  gates?: GateKind[];
  /** Holds the store, raw streams and evidence; that of this user unless told. */
  stateFolder?: string;
  /** Another store than the one in the state folder. It is not closed. */
  store?: Store;
};

/**
 * What `runLoop` takes.
 *
 * @example
 * ```ts
 * import { runLoop, type RunLoopOptions } from "ralph";
 *
 * const options: RunLoopOptions = { prompt: "Work.", agent: () => "Not yet.", settings: { maximumIterations: 1 } };
 * console.log((await runLoop(options).outcome).name); // exhausted
 * ```
 */
export type RunLoopOptions = CommonOptions & { prompt: string };

/**
 * Runs an agent on a prompt again and again until its claim passes every check, in this process. The run is an ordinary
 * one: `ralph status`, `show`, `cancel` know it.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { runLoop } from "ralph";
 *
 * const loop = runLoop({
 *   prompt: "Write hello.txt.",
 *   agent: ({ prompt }) => {
 *     if (prompt.includes("hello.txt is missing")) writeFileSync("hello.txt", "hello\n");
 *     return "<promise>DONE</promise>";
 *   },
 *   checks: ["test -f hello.txt || { echo hello.txt is missing; exit 1; }"],
 * });
 * for await (const event of loop.events) if (event.kind === "check") console.log(event.progress.verdict?.reason);
 * console.log((await loop.outcome).name); // completed
 * ```
 */
export function runLoop(options: RunLoopOptions): LoopHandle {
  const { prompt, signal } = readOptions("runLoop", options, { ...commonRules, prompt: required(text) });
  const id = newRunId(Date.now(), Math.random);
  return openHandle({ id, signal }, ({ talk, sink, connectionOf }) =>
    withMachine(options, sink, async (machine) => {
      const { projectDir, loaded } = await settingsOf(machine, options, { caller: "runLoop", say: talk.say });
      const frozen = await prepareRun(machine, {
        projectDir,
        prompt: { kind: "text", text: prompt },
        loaded,
        heldOutFile: null,
      });
      const order = { frozen, talk, isDirtyAllowed: options.allowDirty ?? false, id };
      return startHere(machine, order, connectionOf(id));
    }),
  );
}

/** The rules of what every loop takes. */
export const commonRules: OptionRules<CommonOptions> = {
  projectDir: directory,
  agent: fieldsOr(
    ruleOf(
      'a program\'s name, an object such as { command: "my-agent" }, or a function',
      (value) => typeof value === "function" || text.isMet(value),
    ),
    { command: required(text), flags: listOf(anyText), model: text },
  ),
  checks: listOf(
    ruleOf(
      'a command, or an object with name, check and perhaps when: "every-turn" or "on-claim"',
      (value) => text.isMet(value) || isCheck(value),
    ),
  ),
  settings: anObject,
  signal: abortSignal,
  allowDirty: flag,
  sinks: listOf(aSink),
  agents: listOf(anAdapter),
  gates: listOf(aGateKind),
  stateFolder: text,
  store: aStore,
};

/** A machine with what the caller brought along, and the sink of its handle; its own store is closed afterwards. */
export async function withMachine<End>(
  { agent, checks = [], agents = [], gates = [], sinks = [], stateFolder, store }: CommonOptions,
  handle: Sink,
  use: (machine: Machine) => Promise<End>,
): Promise<End> {
  const own = checks.filter((check) => typeof check !== "string");
  const kinds = [...gateKinds, ...ownGateKinds(gates, gateKinds), ...(own.length === 0 ? [] : [checkFunctions(own)])];
  const wired = await wire({ gateKinds: kinds, ...placeOf({ stateFolder, store }) }).catch((error: unknown) => {
    throw stateFolder === undefined ? error : wrongFolder(stateFolder, error);
  });
  const machine: Machine = {
    ...wired,
    sinks: [handle, ...sinks, ...wired.sinks],
    agents: { ...wired.agents, known: [...agents.map(ownAdapter), ...wired.agents.known] },
    processes: typeof agent === "function" ? withAgentFunction(wired.processes, agent) : wired.processes,
  };
  try {
    return await use(machine);
  } finally {
    if (store === undefined) await machine.store.close();
  }
}

function placeOf({
  stateFolder,
  store,
}: {
  stateFolder: string | undefined;
  store: Store | undefined;
}): Partial<Machine> {
  return {
    ...(stateFolder === undefined ? {} : { folder: resolve(stateFolder) }),
    ...(store === undefined ? {} : { store }),
  };
}

function wrongFolder(folder: string, error: unknown): unknown {
  if (!(error instanceof RalphError)) return error;
  const message = `The option stateFolder (${folder}) cannot be used: ${error.message}`;
  return new RalphError(error.code, message, "Give a folder that you can write to.", error);
}

/** The settings of the project with what the caller gave; warnings are said. */
export async function settingsOf(
  machine: Machine,
  options: CommonOptions,
  { caller, say }: { caller: string; say: (line: string) => void },
) {
  const projectDir = realProjectDir(options);
  const value = { ...options.settings, ...agentSettings(options) };
  const loaded = await loadRunSettings(machine, {
    projectDir,
    given: { source: `option settings of ${caller}`, value },
    say,
  });
  const commands = (options.checks ?? []).filter((check) => typeof check === "string");
  const guardrails = [
    ...loaded.settings.guardrails,
    ...commands.map((command) => ({ command, failAction: "APPEND" as const })),
  ];
  const settings = { ...loaded.settings, guardrails };
  const { command } = settings.agent;
  if (command !== null && options.agents !== undefined)
    requireInvocation(chooseAdapter(command, machine.agents), command);
  return { projectDir, loaded: { ...loaded, settings } };
}

function agentSettings({ agent, settings }: CommonOptions): Record<string, unknown> {
  if (agent === undefined) return {};
  const given = settings?.["agent"];
  const former = typeof given === "object" ? given : {};
  if (typeof agent === "function") return { agent: { ...former, command: functionCommand, promptVia: "stdin" } };
  return { agent: { ...former, ...(typeof agent === "string" ? { command: agent } : agent) } };
}

function isCheck(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).some((key) => !["name", "check", "when"].includes(key))) return false;
  const { name, check, when = "every-turn" } = value;
  return text.isMet(name) && typeof check === "function" && (when === "every-turn" || when === "on-claim");
}

/** As every command takes it: a link to a folder is that folder. */
export function realProjectDir({ projectDir = "." }: CommonOptions): string {
  return realpathSync(resolve(projectDir));
}
