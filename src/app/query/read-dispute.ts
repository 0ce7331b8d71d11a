import { sealedGateId } from "../../core/contract/sealed.ts";
import { type Dispute, sealSlot } from "../../core/verification/sealed/judge-dispute.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";

/** Changed tests or packages that only a person can allow, with how they differ from the base. */
export type ShownDispute = Dispute & { times: number; difference: string };

/** What is in dispute in a run; null: nothing. */
export async function readDispute(
  { store }: Pick<Records, "store">,
  { state }: RunRecord,
): Promise<ShownDispute | null> {
  const dispute = sealSlot(state.slots[sealedGateId])?.dispute;
  if (dispute === undefined || state.outcome?.name === "completed") return null;
  const { kind, files, names, times, difference } = dispute;
  const text = "text" in difference ? difference.text : ((await store.getBlob(difference.blob)) ?? "(lost)");
  return { kind, files, names, times, difference: text };
}
