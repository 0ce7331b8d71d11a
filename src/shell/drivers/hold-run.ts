import type { Machine } from "../machine.ts";
import type { RunRecord } from "../ports.ts";
import type { RunContext } from "../run-context.ts";
import { type MountedSinks, mountSinks } from "../sinks/mount-sinks.ts";
import { joinSinks } from "../sinks/sink.ts";
import { holdLease } from "./hold-lease.ts";
import type { Held } from "./take-lease.ts";

/** What a driver has while it holds a run: who hears of it, a note for its journal, and the loss of its lease. */
export type Holding = { sink: MountedSinks; note: RunContext["note"]; lost: Promise<unknown> };

/**
 * Holds a taken run of any kind while it is driven, and gives it up at the end. Here the sinks of the machine get on it,
 * after `own`, the reader that a surface brings along.
 */
export function holdRun<Result>(
  machine: Machine,
  { record, epoch }: Held,
  own: MountedSinks,
  drive: (holding: Holding) => Promise<Result>,
): Promise<Result> {
  const mounted = mountSinks(machine.sinks, record.id);
  const sink: MountedSinks = joinSinks([own, mounted]);
  const note = noteOf(machine, record, sink);
  const lease = { runId: record.id, epoch };
  return holdLease({ ...machine, lease, note }, (lost) => drive({ sink, note, lost }));
}

/** Leaves a remark in the journal and tells who listens. A remark is worth keeping, but never worth a run. */
export function noteOf(
  { store, clock }: Pick<Machine, "store" | "clock">,
  { id: runId, epoch, state }: RunRecord,
  sink: Pick<MountedSinks, "entry">,
): RunContext["note"] {
  return async (level, text) => {
    const at = clock.now();
    sink.entry({ kind: "note", at, level, text }, state);
    await store.note({ runId, epoch, at, level, text }).catch(() => {});
  };
}
