import { RalphError } from "../../core/ralph-error.ts";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import type { Verification } from "../../core/verification/verified/verification.ts";
import { makePassingFolder } from "../../shell/lib/passing-folder.ts";
import { removeTree } from "../../shell/lib/remove-tree.ts";
import { wire } from "../../shell/wire.ts";
import { namedTarget } from "../query/find/target.ts";
import type { Told } from "./ask-gates.ts";
import { verifyRun } from "./verify-run.ts";

/** Which run is verified again. */
export type StoredRunWish = Told & { id: string; step: string | null };

/** What was found, and the run as a receipt names it. */
export type VerifiedRun = { verification: Verification; run: Receipt["run"] };

/** Verifies the present tree of a stored run by its frozen contract and its seal. */
export async function verifyStoredRun({ id, ...order }: StoredRunWish): Promise<VerifiedRun> {
  const machine = await wire();
  const folder = makePassingFolder("verify");
  try {
    const { run } = await namedTarget({ ...machine, onProblem: order.tell }, id);
    if (run === undefined)
      throw new RalphError(
        "contract",
        "A loop inside a session has no seal.",
        "Verify commits: ralph verify BASE..HEAD",
      );
    const verification = await verifyRun(machine, run, { ...order, folder });
    const { head } = await machine.store.readChain(run.id, 0, 1);
    return { verification, run: head === null ? null : { id: run.id, journal: head } };
  } finally {
    removeTree(folder);
    await machine.store.close();
  }
}
