import type { FrozenRun } from "../core/settings/run/frozen-run.ts";
import { isObject } from "../core/text/is-object.ts";
import { type RunConnection, type RunEnd, startRun as startFrozen } from "../shell/drivers/start-run.ts";
import type { Machine } from "../shell/machine.ts";
import { aSink, requireOption, ruleOf, text, withFunctions } from "./read-options.ts";
import { aStore } from "./wire-machine.ts";

/**
 * Starts a new run in its project directory and drives it to its outcome.
 *
 * @example
 * ```ts
 * import { type FrozenRun, type RunConnection, startRun, wire } from "ralph";
 *
 * // Prefer `runLoop`; this is for a program that has frozen a run itself, for example to run it once more.
 * export async function runAgain(frozen: FrozenRun, connection: RunConnection): Promise<string> {
 *   const machine = await wire();
 *   const { state } = await startRun(machine, frozen, connection);
 *   await machine.store.close();
 *   return state.outcome?.name ?? "";
 * }
 * ```
 */
export async function startRun(machine: Machine, frozen: FrozenRun, connection: RunConnection): Promise<RunEnd> {
  requireOption("startRun", "machine", { value: machine, rule: aMachine });
  requireOption("startRun", "frozen", { value: frozen, rule: aFrozenRun });
  requireOption("startRun", "connection", { value: connection, rule: aConnection });
  return startFrozen(machine, frozen, connection);
}

const aMachine = ruleOf(
  "a machine as `wire` gives it",
  (value) =>
    isObject(value) && aStore.isMet(value["store"]) && isObject(value["processes"]) && isObject(value["clock"]),
);

const aFrozenRun = ruleOf(
  "a frozen run as the store has it: an object with projectDir, prompt, settings and policy",
  (value) =>
    isObject(value) &&
    text.isMet(value["projectDir"]) &&
    ["prompt", "settings", "policy"].every((name) => isObject(value[name])),
);

const theirCalls = withFunctions("onRequest", "onCheck", "onStderr", "onTaken");

const aConnection = ruleOf(
  `${theirCalls.expected}, and a sink`,
  (value) => theirCalls.isMet(value) && isObject(value) && aSink.isMet(value["sink"]),
);
