import { isObject } from "../core/text/is-object.ts";
import type { Machine } from "../shell/machine.ts";
import type { Disk, Store } from "../shell/ports.ts";
import { wire as wireAll } from "../shell/wire.ts";
import {
  aFunction,
  anObject,
  aSink,
  listOf,
  milliseconds,
  type OptionRule,
  type OptionRules,
  bothOf,
  readOptions,
  ruleOf,
  text,
  withFunctions,
} from "./read-options.ts";

/**
 * Opens the store of this user and everything else that a run needs. What is given takes the place of a part; a store that
 * is opened here is yours to close.
 *
 * @example
 * ```ts
 * import { wire } from "ralph";
 *
 * const { store } = await wire();
 * for (const { id, outcome } of await store.list({ directory: null, limit: 5 })) console.log(id, outcome?.name);
 * await store.close();
 * ```
 */
export async function wire(parts: Partial<Machine> = {}): Promise<Machine> {
  return wireAll(readOptions("wire", parts, rules));
}

/** A store of runs. */
export const aStore = allOf<Store>({
  create: true,
  take: true,
  renew: true,
  release: true,
  commit: true,
  note: true,
  importRun: true,
  appendAgentEvents: true,
  ask: true,
  readRequests: true,
  putBlob: true,
  getBlob: true,
  find: true,
  list: true,
  listUnusable: true,
  readChain: true,
  readJournal: true,
  readAgentEvents: true,
  prune: true,
  close: true,
  putTasks: true,
  getTask: true,
  listTasks: true,
  updateTask: true,
  removeTask: true,
});

const aDisk = allOf<Disk>({
  look: true,
  list: true,
  open: true,
  createOnce: true,
  rename: true,
  remove: true,
  readText: true,
  writeAtomic: true,
  openLog: true,
  readLog: true,
});

/** Every function of a port: one that is missing would be missed in the middle of a run. */
function allOf<Port>(names: Record<keyof Port & string, true>): OptionRule {
  return withFunctions(...Object.keys(names));
}

/** What starts programs and reads what they print. */
export const anAdapter = bothOf(
  withFunctions("invocation", "createReader"),
  ruleOf(
    "with a text as name, lists of texts as commands, keyVariables and hostMarkers, and an object as env",
    (value) => {
      if (!isObject(value)) return false;
      const { name, commands, keyVariables, hostMarkers, env } = value;
      return (
        text.isMet(name) &&
        [commands, keyVariables, hostMarkers].every((each) => listOf(text).isMet(each)) &&
        isObject(env)
      );
    },
  ),
);

/** A kind of gate. */
export const aGateKind = bothOf(
  withFunctions("gatesOf", "open"),
  ruleOf("with a text as name", (value) => isObject(value) && text.isMet(value["name"])),
);

const rules: OptionRules<Partial<Machine>> = {
  clock: withFunctions("now", "upMs", "wait"),
  processes: withFunctions("start", "runOnTerminal", "isAlive", "self", "endLeftovers"),
  liveness: bothOf(
    withFunctions("askGroup", "startedAtMs", "isOurs"),
    ruleOf("with an object as table", (value) => isObject(value) && isObject(value["table"])),
  ),
  disk: aDisk,
  artefacts: withFunctions("put", "append", "read", "readLog", "list", "sizes", "remove", "localPath"),
  store: aStore,
  folder: text,
  host: text,
  env: anObject,
  agents: ruleOf("an object with known, a list of adapters, and fallback, an adapter", (value) => {
    return isObject(value) && listOf(anAdapter).isMet(value["known"]) && anAdapter.isMet(value["fallback"]);
  }),
  selfArgv: listOf(text),
  gateKinds: listOf(aGateKind),
  sinks: listOf(aSink),
  random: aFunction,
  killGraceMs: milliseconds(0),
  fingerprint: aFunction,
  mergeTrees: aFunction,
  isOwnerAlive: aFunction,
};
