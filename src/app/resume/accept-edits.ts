import { removedChecks } from "../../core/prd/revision.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { peoplesList, readRevision, requireConsent } from "../../shell/prd/revised-list.ts";

/** How people consent to a task list that checks less than before: in advance, or when they are asked. */
export type EditsConsent = {
  isGiven: boolean;
  /** Gets a line for each check that is gone. False: nobody can be asked, or the answer is no. */
  ask: (removed: readonly string[]) => Promise<boolean>;
};

/**
 * Whether people's edits of a task list may remove checks: by consent in advance or on request. Otherwise it throws and
 * names them. False: nothing to accept.
 */
export async function acceptEdits(
  { store, disk }: Pick<Machine, "store" | "disk">,
  { id, frozen, state }: RunRecord,
  { isGiven, ask }: EditsConsent,
): Promise<boolean> {
  const { prd } = frozen;
  const known = peoplesList(state);
  if (isGiven || prd === undefined || known === null) return isGiven;
  const revision = await readRevision({ store, disk, frozen: { ...frozen, prd } }, known);
  const removed = revision === null ? [] : removedChecks(revision);
  if (removed.length === 0) return false;
  if (await ask(removed)) return true;
  requireConsent(revision, id);
  return false;
}
