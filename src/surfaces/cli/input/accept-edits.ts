import { removedChecks } from "../../../core/prd/revision.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { peoplesList, readRevision, requireConsent } from "../../../shell/prd/revised-list.ts";
import { isConfirmed } from "./confirm.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";

/**
 * Whether people's edits of a task list may remove checks: by the flag, or by a person's answer at a terminal. Otherwise it
 * throws and names them. False: nothing to accept.
 */
export async function acceptEdits(
  { store, disk }: Pick<Machine, "store" | "disk">,
  { id, frozen, state }: RunRecord,
  isAccepted: boolean,
): Promise<boolean> {
  const { prd } = frozen;
  const known = peoplesList(state);
  if (isAccepted || prd === undefined || known === null) return isAccepted;
  const revision = await readRevision({ store, disk, frozen: { ...frozen, prd } }, known);
  const removed = revision === null ? [] : removedChecks(revision);
  if (removed.length === 0) return false;
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const lines = removed.map((text) => `  ${cleanLine(text)}\n`).join("");
  if (isTerminal && (await isConfirmed(`The task list checks less than before:\n${lines}Resume with it? (y/N): `)))
    return true;
  requireConsent(revision, id);
  return false;
}
