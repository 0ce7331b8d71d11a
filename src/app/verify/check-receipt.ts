import { join, resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { judgeSignature } from "../../core/verification/receipt/judge-signature.ts";
import { compareReceipts } from "../../core/verification/receipt/compare-receipts.ts";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import { receiptOf } from "../../core/verification/receipt/receipt-of.ts";
import { openScratchCheckout } from "../../shell/checkout/scratch-checkout.ts";
import { keysFolder, listKeys, readKey, type ReceiptKey } from "../../shell/receipts/keys.ts";
import { openReceipt } from "../../shell/receipts/sign-receipt.ts";
import { version } from "../prepare/version.ts";
import { baseContract } from "./base-contract.ts";
import { chooseRange, type ChosenRange } from "./choose-range.ts";
import { checkReceiptJournal } from "./receipt-journal.ts";
import { inVerificationScratch, type VerificationScratch } from "./verification-scratch.ts";
import type { VerifyWish } from "./verify-commits.ts";
import { verifyRange } from "./verify-range.ts";

/** Which receipt is checked, and for what. */
export type ReceiptWish = VerifyWish & {
  file: string;
  /** Files with public keys, one of which must have signed. */
  keyFiles: readonly string[];
  isUnsignedAllowed: boolean;
  /** Run the checks again and compare. */
  isRerun: boolean;
};

/** What a check of a receipt found: it holds when there is no problem. `notes` says what nobody could check here. */
export type ReceiptCheckEnd = {
  isValid: boolean;
  problems: string[];
  notes: string[];
  signedBy: string[];
  receipt: Receipt | null;
};

/**
 * Checks whether a receipt holds for these commits: its signature, its trees, the contract of the base, the journal of its run
 * where that is stored here, and on request all results. Rejects with a `RalphError` where that is impossible.
 */
export function checkReceipt(wish: ReceiptWish): Promise<ReceiptCheckEnd> {
  return inVerificationScratch(resolve(wish.projectDir), async (scratch) => {
    const { disk } = scratch.machine;
    const text = await disk.readText(resolve(wish.file), receiptBytesMax);
    if (text === null) throw new RalphError("file", `There is no receipt at ${wish.file}.`);
    const wanted = await Promise.all(wish.keyFiles.map((path) => keyAt(scratch, path)));
    const own = await listKeys(disk, keysFolder(scratch.machine.env));
    const opened = openReceipt(text, [...wanted, ...own]);
    if ("problem" in opened) return refusedFor([`It cannot be used: ${opened.problem}.`]);
    const { receipt, isSigned, signedBy } = opened;
    const isUnsignedAllowed = wish.isUnsignedAllowed || wish.isRerun;
    const signature = judgeSignature({ isSigned, signedBy, wanted: wanted.map(({ id }) => id), isUnsignedAllowed });
    const range = await chooseRange(scratch.git, wish);
    const journal = await checkReceiptJournal(receipt);
    const problems = [
      ...(signature === null ? [] : [signature]),
      ...(await compareWithGit(scratch, range, receipt)),
      ...journal.problems,
    ];
    // Whatever differs already is not worth minutes of checks.
    if (wish.isRerun && problems.length === 0) problems.push(...(await rerun(scratch, { wish, range, receipt })));
    const notes = [...(signedBy.length === 0 ? ["Nobody known signed it."] : []), ...journal.notes];
    return { isValid: problems.length === 0, problems, notes, signedBy, receipt };
  });
}

/** A receipt has some KB; one of a thousand checks has less than this. */
const receiptBytesMax = 4 * 1024 * 1024;

function refusedFor(problems: string[]): ReceiptCheckEnd {
  return { isValid: false, problems, notes: [], signedBy: [], receipt: null };
}

async function keyAt({ machine }: VerificationScratch, path: string): Promise<ReceiptKey> {
  const pem = await machine.disk.readText(resolve(path), keyBytesMax);
  if (pem === null) throw new RalphError("file", `There is no key at ${path}.`);
  return readKey(pem, path);
}

const keyBytesMax = 10_000;

/** Trees and contract as git has them: a receipt for other ones says nothing about these commits. */
async function compareWithGit(
  { id, machine, repository, folder }: VerificationScratch,
  range: ChosenRange,
  receipt: Receipt,
): Promise<string[]> {
  const { base, candidate } = range;
  const checkout = openScratchCheckout({
    context: { ...machine, runId: id },
    repository,
    folder: join(folder, "receipt"),
    commit: base.commit,
    isSha256: base.commit.length > sha1Length,
  });
  const trees = {
    base: await checkout.treeOf(base.commit),
    candidate: candidate === "index" ? await checkout.stagedTree() : await checkout.treeOf(candidate.commit),
  };
  await checkout.show(trees.base);
  const { contract } = await baseContract(machine, { projectDir: checkout.projectDir, name: base.name });
  const found: Receipt = { ...receipt, contract, base: trees.base, candidate: trees.candidate };
  const commits = [
    { name: receipt.commit, tree: receipt.candidate },
    { name: receipt.baseCommit, tree: receipt.base },
  ];
  const wrong: string[] = [];
  for (const { name, tree } of commits) {
    const own = name === null ? tree : await checkout.treeOf(name).catch(() => null);
    if (own !== tree) wrong.push(`Commit ${name ?? ""} does not have the tree that the receipt says.`);
  }
  return [...compareReceipts(receipt, found), ...wrong];
}

const sha1Length = 40;

async function rerun(
  { id, machine, repository, folder }: VerificationScratch,
  { wish, range, receipt }: { wish: ReceiptWish; range: ChosenRange; receipt: Receipt },
): Promise<string[]> {
  const { signal, tell } = wish;
  const verification = await verifyRange(machine, { ...range, id, repository, folder, step: null, signal, tell });
  const found = receiptOf(verification, { ralph: version, verifiedAt: receipt.verifiedAt, run: null });
  return found === null ? verification.reasons : compareReceipts(receipt, found);
}
