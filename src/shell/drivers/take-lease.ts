import type { LivenessAnswer, Owner, Taken } from "../ports.ts";

/** Tries to take, looks at the drivers that the store does not know about, and tries again. */
export type TakeOrder = {
  attempt: (answers: readonly LivenessAnswer[]) => Promise<Taken>;
  /** Asked outside of any transaction, of drivers on this host alone. May reject: then nothing is taken. */
  isOwnerAlive: (owner: Owner) => Promise<boolean>;
};

/** A holder that changed between a look and the next attempt means another look; a lease that passes on so often is in use. */
const attemptsMax = 5;

/** Takes or creates a run, unless a living driver is in the way. */
export async function takeLease({ attempt, isOwnerAlive }: TakeOrder): Promise<Taken> {
  const answers: LivenessAnswer[] = [];
  for (let count = 1; ; count += 1) {
    const taken = await attempt(answers);
    if (taken.isTaken || taken.unknown.length === 0 || count === attemptsMax) return taken;
    for (const { runId, owner, epoch } of taken.unknown)
      answers.push({ runId, owner, epoch, isAlive: await isOwnerAlive(owner) });
  }
}
