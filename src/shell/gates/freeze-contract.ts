import { canonicalContract, type Contract, type ContractSources, policyGates } from "../../core/contract/contract.ts";
import type { FrozenRun } from "../../core/settings/frozen-run.ts";
import { hashText } from "../stores/hash-text.ts";
import type { GateKind } from "./gate-kind.ts";

/** A run whose contract is frozen with it. */
export type ContractedRun = FrozenRun & { contract: Contract };

/** Resolves what done means for a run, once; the engine gets the gates, the run keeps the whole. */
export async function freezeContract(kinds: readonly GateKind[], frozen: FrozenRun): Promise<ContractedRun> {
  const sources = sourcesOf(frozen);
  const gates = kinds.flatMap((kind) => kind.gatesOf(sources));
  const contract = { revision: 1, hash: await hashText(canonicalContract(gates)), gates };
  return { ...frozen, contract, policy: { ...frozen.policy, gates: policyGates(gates) } };
}

function sourcesOf({ policy, settings, settingsFiles, criterion, verifyCommandsFrom }: FrozenRun): ContractSources {
  const surface = policy.kind;
  return {
    surface,
    settings,
    settingsFiles,
    verifyCommandsFrom: verifyCommandsFrom ?? null,
    role: criterion ?? null,
    // A look before the first turn tells what was broken from what broke; roles and lists always want to know.
    hasBaseline: surface === "work" || surface === "prd" || (surface === "run" && settings.baseline),
  };
}
