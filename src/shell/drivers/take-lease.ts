import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../machine.ts";
import type { LivenessAnswer, NewRun, Owner, RunRecord, Taken } from "../ports.ts";

/** A run that this program drives now. */
export type Held = Extract<Taken, { isTaken: true }>;

/** Stores a new run and takes its directory, unless a living driver holds it. */
export async function createRun(machine: Machine, run: NewRun): Promise<Taken> {
  const owner = await ownerOf(machine);
  return takeLease({ ...machine, attempt: (answers) => machine.store.create(run, owner, answers) });
}

/** Takes an existing run, or throws an error that names who holds its directory. */
export async function takeRun(machine: Machine, runId: string): Promise<Held> {
  const owner = await ownerOf(machine);
  return held(await takeLease({ ...machine, attempt: (answers) => machine.store.take(runId, owner, answers) }));
}

/** The taken run, or an error that names who holds its directory. */
export function held(taken: Taken): Held {
  if (taken.isTaken) return taken;
  throw lockedBy(taken.holder);
}

/** The error for a directory that a living run holds. */
export function lockedBy({ id, owner, directory }: Pick<RunRecord, "id" | "owner" | "directory">): RalphError {
  return new RalphError(
    "locked",
    `${directory} is already worked on by run ${id} (process ${owner?.pid ?? "unknown"} on ${owner?.host ?? "unknown"}).`,
    `Look at it with \`ralph status\`, end it with \`ralph cancel ${id}\`.`,
  );
}

/** This very process, as it stands in leases. */
async function ownerOf({ processes, host }: Pick<Machine, "processes" | "host">): Promise<Owner> {
  return { ...(await processes.self()), host };
}

/** How to try, and how to look at a driver of this host: outside of any transaction. When the look fails, nothing is taken. */
export type TakeOptions = Pick<Machine, "isOwnerAlive"> & {
  attempt: (answers: readonly LivenessAnswer[]) => Promise<Taken>;
};

/** A holder that changed between a look and the next attempt means another look; a lease that passes on so often is in use. */
const attemptsMax = 5;

/** Tries to take, looks at the drivers that the store does not know about, and tries again. */
export async function takeLease({ attempt, isOwnerAlive }: TakeOptions): Promise<Taken> {
  const answers: LivenessAnswer[] = [];
  for (let count = 1; ; count += 1) {
    const taken = await attempt(answers);
    if (taken.isTaken || taken.unknown.length === 0 || count === attemptsMax) return taken;
    for (const { runId, owner, epoch } of taken.unknown)
      answers.push({ runId, owner, epoch, isAlive: await isOwnerAlive(owner) });
  }
}
