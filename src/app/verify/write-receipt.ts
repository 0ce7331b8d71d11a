import { resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import { receiptOf } from "../../core/verification/receipt/receipt-of.ts";
import type { Verification } from "../../core/verification/verified/verification.ts";
import { chooseKey, type KeySource } from "../../shell/receipts/choose-key.ts";
import { signReceipt } from "../../shell/receipts/sign-receipt.ts";
import { version } from "../prepare/version.ts";

/** Where a receipt goes, and who signs it. */
export type ReceiptFile = {
  path: string;
  /** The id of the key that signs; null: the only key of this user. */
  keyId: string | null;
  isUnsigned: boolean;
  /** The run whose work it is, with the hash of its last journal entry. */
  run: Receipt["run"];
  now: number;
};

/** A receipt that was written. `signedBy` null: it has no signature. */
export type WrittenReceipt = { path: string; signedBy: string | null };

/** Writes the receipt of a verification; null for one that has none, because it was refused. */
export async function writeReceipt(
  source: KeySource,
  verification: Verification,
  { path, keyId, isUnsigned, run, now }: ReceiptFile,
): Promise<WrittenReceipt | null> {
  const receipt = receiptOf(verification, { ralph: version, verifiedAt: new Date(now).toISOString(), run });
  if (receipt === null) return null;
  const key = isUnsigned ? null : await chooseKey(source, keyId);
  await source.disk.writeAtomic(resolve(path), signReceipt(receipt, key)).catch((cause: unknown) => {
    throw new RalphError("file", `The receipt could not be written to ${path}: ${String(cause)}`, null, cause);
  });
  return { path: resolve(path), signedBy: key?.id ?? null };
}
