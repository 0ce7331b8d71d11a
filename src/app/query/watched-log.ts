import { beginReplay, replayEntry } from "../../core/journal/replay.ts";
import type { RunState } from "../../core/run/state.ts";
import type { TextRef } from "../../core/verification/verdict.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Looker } from "./find/is-driven.ts";
import { type LogItem, readLog } from "./read-log.ts";

/** Reads a text wherever it is kept. */
export type ReadText = (ref: TextRef) => Promise<string>;

/** Reads the texts of a store. */
export function textReader({ store }: Pick<Machine, "store">): ReadText {
  return async (ref) => ("text" in ref ? ref.text : ((await store.getBlob(ref.blob)) ?? "(output lost)"));
}

/** An item of a log, and the state of the run after it. */
export type WatchedItem = { item: LogItem; state: RunState };

/** The log of a run as who watches it from its beginning gets it; until its driver has ended. */
export async function* watchLog(machine: Pick<Machine, "store"> & Looker, run: RunRecord): AsyncGenerator<WatchedItem> {
  let replay = beginReplay(run);
  for await (const item of readLog(machine, run, true)) {
    // Steps that an older version wrote may lead elsewhere by the rules of now: then the stored state has to do.
    if ("kind" in item) replay = replayEntry(replay, item, Infinity);
    const { position } = replay;
    const isKnown = position?.engine === "run" && replay.broken === null;
    yield { item, state: isKnown ? position.state : run.state };
  }
}
