import type { RunState } from "../../core/run/state.ts";
import { judgeVerification } from "../../core/verification/verified/judge-verification.ts";
import type { Verification } from "../../core/verification/verified/verification.ts";
import { receiptOf } from "../../core/verification/receipt/receipt-of.ts";
import { verdictsOf } from "../../core/policies/gates.ts";
import { openRunGit } from "../git/run-git.ts";
import type { Machine } from "../machine.ts";
import type { RunRecord } from "../ports.ts";
import { chooseKey } from "../receipts/choose-key.ts";
import { namedTree } from "../receipts/named-tree.ts";
import { sealedFacts } from "../receipts/sealed-facts.ts";
import { signReceipt } from "../receipts/sign-receipt.ts";
import { verifiedCheck } from "../receipts/verified-check.ts";
import type { RunContext } from "../run-context.ts";
import type { RunSeal } from "../seal/run-seal.ts";

/** A sealed run that has ended. */
export type SealedEnd = { record: RunRecord; state: RunState; seal: RunSeal };

/**
 * Keeps the receipt of a run that completed sealed, beside its streams, and says where. Must not reject: a receipt is worth keeping,
 * but never worth a run.
 */
export async function noteReceipt(machine: Machine, end: SealedEnd, note: RunContext["note"]): Promise<void> {
  const fault = (error: unknown): string => `The receipt could not be kept: ${String(error)}`;
  const sentence = await keepReceipt(machine, end).catch(fault);
  if (sentence !== null) await note("info", sentence);
}

/** Returns a sentence for people; null where there is no receipt. */
async function keepReceipt(machine: Machine, end: SealedEnd): Promise<string | null> {
  const { record, state } = end;
  const { head } = await machine.store.readChain(record.id, 0, 1);
  const verification = state.outcome?.name === "completed" && head !== null ? await verificationOf(machine, end) : null;
  if (verification === null || head === null) return null;
  const verifiedAt = new Date(machine.clock.now()).toISOString();
  const run = { id: record.id, journal: head };
  const receipt = receiptOf(verification, { ralph: record.frozen.version, verifiedAt, run });
  if (receipt === null) return null;
  // With several keys nobody can tell which one readers trust.
  const key = await chooseKey(machine, null).catch(() => null);
  const artefact = { runId: record.id, kind: "receipt" as const, name: "1" };
  await machine.artefacts.put(artefact, signReceipt(receipt, key));
  const signed = key === null ? "unsigned" : `signed by key ${key.id.slice(0, shownDigits)}`;
  return `Receipt: ${machine.artefacts.localPath(artefact)}, ${signed}.`;
}

const shownDigits = 12;

async function verificationOf(machine: Machine, { record, state, seal }: SealedEnd): Promise<Verification | null> {
  const { frozen, id } = record;
  const { candidate } = state.facts;
  const git = await openRunGit({ ...machine, runId: id, frozen }, { turnMarker: `${id}.receipt` });
  if (candidate === null || git === null) return null;
  const { record: sealed, isolation } = await seal.open();
  const gates = state.policy.gates.filter(({ when }) => when !== "before-first-turn");
  const verdicts = verdictsOf(state).filter(({ gate }) => gates.includes(gate));
  const checks = verdicts.map(({ gate, verdict }) => verifiedCheck(machine.folder, gate.id, verdict));
  return {
    ...judgeVerification({ asked: gates.map((gate) => gate.id), checks, isDisputed: false }),
    base: await namedTree(git.git, sealed.base, frozen.startCommit),
    candidate: await namedTree(git.git, candidate, "HEAD"),
    contract: state.policy.contract,
    seal: { hash: seal.hash, isolation: isolation.kind, problem: isolation.problem },
    checks,
    ...sealedFacts({ record: sealed, results: seal.results(candidate), frozen }),
    step: null,
    durationMs: 0,
  };
}
