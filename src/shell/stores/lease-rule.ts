import type { Lease, LivenessAnswer, Owner } from "../ports.ts";

/** How long a lease lasts for other hosts after it was taken or renewed: three times what passes between two renewals. */
export const leaseMs = 30_000;

/** Who wants to drive a run, by which time, and what was found out about other drivers of its host. */
export type LeaseTaker = { owner: Owner; at: number; answers: readonly LivenessAnswer[] };

/** The leases that a taker finds: those on its directory, and those of the children of its run in other directories. */
export type FoundLeases<Held> = { onDirectory: readonly Held[]; ofChildren: readonly Held[] };

/** `stale`: leases of dead drivers, to be removed. `unknown`: ask whether their drivers are alive, and try again. */
export type Judged<Held> =
  | { may: "take"; stale: Held[] }
  | { may: "wait"; holder: Held }
  | { may: "ask"; unknown: [Held, ...Held[]] };

/** Says whether `taker` may drive a run; every store goes by it. */
export function judgeLeases<Held extends Lease>(
  { onDirectory, ofChildren }: FoundLeases<Held>,
  parentId: string | null,
  taker: LeaseTaker,
): Judged<Held> {
  // `ralph work` drives its role runs itself: its own lease on the same directory is no obstacle to them.
  const isOfParent = (lease: Held): boolean => lease.runId === parentId && isSameOwner(lease.owner, taker.owner);
  const others = onDirectory.filter((lease) => !isOfParent(lease));
  const holder = others.find((lease) => judgeDriver(lease, taker) === "living");
  if (holder !== undefined) return { may: "wait", holder };
  const found = [...others, ...ofChildren];
  const [first, ...more] = found.filter((lease) => judgeDriver(lease, taker) === "unknown");
  if (first !== undefined) return { may: "ask", unknown: [first, ...more] };
  return { may: "take", stale: found.filter((lease) => judgeDriver(lease, taker) === "dead") };
}

/**
 * Whether the driver of a lease is alive, as far as `taker` can know. On its own host time never ends a lease, for the
 * machine may sleep and its clock may jump: only a look at the process decides. On another host nobody can look, so only
 * time decides.
 */
export function judgeDriver(lease: Lease, { owner, at, answers }: LeaseTaker): "living" | "dead" | "unknown" {
  if (lease.owner.host !== owner.host) return isExpired(lease, at) ? "dead" : "living";
  const answer = answers.find((each) => isSameLease(each, lease));
  if (answer === undefined) return "unknown";
  return answer.isAlive ? "living" : "dead";
}

/** Whether a lease of another host is over. */
export function isExpired({ expiresAt }: Pick<Lease, "expiresAt">, at: number): boolean {
  return expiresAt !== null && expiresAt <= at;
}

/** An answer is about one driver of one epoch: whoever holds the lease since then was not asked about. */
function isSameLease(one: Omit<Lease, "expiresAt">, other: Omit<Lease, "expiresAt">): boolean {
  return one.runId === other.runId && one.epoch === other.epoch && isSameOwner(one.owner, other.owner);
}

function isSameOwner(first: Owner, second: Owner): boolean {
  const isSameProcess = first.pid === second.pid && first.startTime === second.startTime;
  return isSameProcess && first.host === second.host && first.namespace === second.namespace;
}
