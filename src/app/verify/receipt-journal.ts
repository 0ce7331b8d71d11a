import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import type { Machine } from "../../shell/machine.ts";
import { ownEnvironment, ownStateFolder, wireStore } from "../../shell/wire-store.ts";
import { checkJournal } from "../query/check-journal.ts";

/** Whether the journal of the run that a receipt names leads to it; `notes` says why nobody can tell. */
export async function checkReceiptJournal({ run }: Receipt): Promise<{ problems: string[]; notes: string[] }> {
  if (run === null) return { problems: [], notes: [] };
  const elsewhere = { problems: [], notes: [`The journal of run ${run.id} is not stored here and was not checked.`] };
  // Without a store there is no run, and a check must not create one.
  if (!existsSync(join(ownStateFolder(ownEnvironment()), "ralph.db"))) return elsewhere;
  const records = await wireStore();
  try {
    const [record] = (await records.store.find(run.id)).filter(({ id }) => id === run.id);
    if (record === undefined) return elsewhere;
    const check = await checkJournal(records, record);
    if (!check.isIntact) return { problems: [`The journal of run ${run.id} is broken: ${check.problem}.`], notes: [] };
    if (await hasEntry(records, run)) return { problems: [], notes: [] };
    return { problems: [`The journal of run ${run.id} does not have the entry that the receipt names.`], notes: [] };
  } finally {
    await records.store.close();
  }
}

/** Entries read at a time: a long journal is never held whole. */
const pageSize = 500;

/** A remark may have been added after the receipt: its entry need not be the last one. */
async function hasEntry(
  { store }: Pick<Machine, "store">,
  { id, journal }: { id: string; journal: string },
): Promise<boolean> {
  for (let after = 0; ;) {
    const { links } = await store.readChain(id, after, pageSize);
    if (links.some(({ hash }) => hash === journal)) return true;
    const last = links.at(-1);
    if (last === undefined) return false;
    after = last.seq;
  }
}
