import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Clock, Lease, Store } from "../ports.ts";
import { leaseMs } from "../stores/lease-rule.ts";
import type { RunContext } from "../run-context.ts";

/** A taken run, and whom to tell that its lease cannot be renewed. */
export type LeaseOptions = {
  clock: Clock;
  store: Pick<Store, "renew" | "release">;
  lease: Pick<Lease, "runId" | "epoch">;
  note: RunContext["note"];
};

/** Two renewals may fail before another host takes the run. */
const renewMs = leaseMs / 3;

/**
 * Does the work of a run while its lease is renewed, and gives the lease up at the end, whatever the end is. `lost` resolves
 * with the refusal when the lease passed on to another driver: then the work has to end, for every further write would be
 * refused too. It never rejects.
 */
export async function holdLease<Result>(
  options: LeaseOptions,
  work: (lost: Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const lost = Promise.withResolvers<unknown>();
  const renewing = renewUntil(ended.signal, options, lost.resolve);
  try {
    return await work(lost.promise);
  } finally {
    ended.abort();
    await renewing;
    await options.store.release(options.lease.runId, options.lease.epoch).catch(() => {});
  }
}

/**
 * Renews until the work has ended or the lease is lost. A machine that slept renews late: that works when nobody took the run
 * meanwhile. A store that cannot be written now may be writable in ten seconds, so a failure is only said, once.
 */
async function renewUntil(
  ended: AbortSignal,
  { clock, store, lease, note }: LeaseOptions,
  onLost: (refusal: unknown) => void,
): Promise<void> {
  let isSaid = false;
  while (await clock.wait(renewMs, ended, "background")) {
    try {
      await store.renew(lease);
    } catch (error) {
      if (isRefusal(error)) return onLost(error);
      if (!isSaid) await note("warning", failedRenewal(error));
      isSaid = true;
    }
  }
}

/** The run has another driver, or is gone. Anything else is a fault of the store. */
function isRefusal(error: unknown): boolean {
  return error instanceof RalphError && (error.code === "lost-lock" || error.code === "not-found");
}

function failedRenewal(error: unknown): string {
  const reason = thrownText(error);
  return `The lease of this run could not be renewed (${reason}). It is tried again every ${renewMs / 1000} s.`;
}
