import { isObject } from "../core/text/is-object.ts";
import type { Machine } from "../shell/machine.ts";
import { wire as wireAll } from "../shell/wire.ts";
import {
  aFunction,
  anObject,
  aSink,
  listOf,
  milliseconds,
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
export const aStore = withFunctions("create", "take", "commit", "find", "list");

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
  processes: withFunctions("start", "self", "isAlive"),
  liveness: anObject,
  disk: anObject,
  artefacts: withFunctions("put", "append", "read", "list", "remove"),
  store: aStore,
  folder: text,
  host: text,
  env: anObject,
  agents: anObject,
  selfArgv: listOf(text),
  gateKinds: listOf(aGateKind),
  sinks: listOf(aSink),
  random: aFunction,
  killGraceMs: milliseconds(0),
  fingerprint: aFunction,
  isOwnerAlive: aFunction,
};
