import type { RunContext } from "../run-context.ts";
import { asOwn } from "../lib/as-own.ts";
import type { Artefact } from "../ports.ts";

/**
 * How far the delivery of an iteration got, written before each step that cannot be repeated: after `kill -9` a commit
 * is neither made twice nor forgotten.
 */
export type DeliveryRecord = {
  /** Tasks of `scm.tasks` that are done. */
  tasksDone: number;
  /** The commit an earlier task of this delivery made. */
  commit: string | null;
  /** HEAD and the staged tree right before the commit in progress. */
  before: { head: string; tree: string } | null;
};

/** A delivery that has not begun. */
export const newDelivery: DeliveryRecord = { tasksDone: 0, commit: null, before: null };

/** The record of an iteration's delivery, or a new one. Rejects when it cannot be read. */
export async function readDelivery(context: RunContext, iteration: number): Promise<DeliveryRecord> {
  const text = await context.artefacts.read(recordOf(context, iteration));
  return text === null ? newDelivery : asOwn<DeliveryRecord>(JSON.parse(text));
}

/** Durable when it resolves. Rejects when it cannot be written. */
export async function writeDelivery(context: RunContext, iteration: number, record: DeliveryRecord): Promise<void> {
  await context.artefacts.put(recordOf(context, iteration), JSON.stringify(record));
}

function recordOf({ runId }: RunContext, iteration: number): Artefact {
  return { runId, kind: "delivery", name: String(iteration) };
}
