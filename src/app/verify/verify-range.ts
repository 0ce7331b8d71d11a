import { join } from "node:path";
import { sealedGateId } from "../../core/contract/sealed.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { newRun } from "../../core/run/state.ts";
import { judgeVerification } from "../../core/verification/verified/judge-verification.ts";
import type { NamedTree, Verification } from "../../core/verification/verified/verification.ts";
import { installDependencies } from "../../shell/checkout/install-dependencies.ts";
import { openScratchCheckout, type ScratchCheckout } from "../../shell/checkout/scratch-checkout.ts";
import { freezeRepository } from "../../shell/drivers/freeze-repository.ts";
import { runSealOf, sealRun } from "../../shell/drivers/seal-run.ts";
import type { ContractedRun } from "../../shell/gates/freeze-contract.ts";
import type { Repository } from "../../shell/git/repository.ts";
import type { Machine } from "../../shell/machine.ts";
import { sealedFacts } from "../../shell/receipts/sealed-facts.ts";
import { processesOf } from "../../shell/processes/redacting-processes.ts";
import { askGates, type Told } from "./ask-gates.ts";
import { baseContract } from "./base-contract.ts";

/** What is verified against what. */
export type RangeVerification = Told & {
  /** In the place of a run's id: nobody sees it, and the store is gone with the verification. */
  id: string;
  repository: Repository;
  /** A folder of ours that is removed afterwards. */
  folder: string;
  base: { commit: string; name: string };
  /** A commit, or what the index holds. */
  candidate: { commit: string } | "index";
  step: string | null;
};

/**
 * Seals a base and verifies a candidate by its contract, as the iteration of a run with a claim does. `machine` has its state in
 * the folder of the order. Everything happens in a checkout of our own.
 */
export async function verifyRange(given: Machine, order: RangeVerification): Promise<Verification> {
  const { base, tell } = order;
  const startedMs = given.clock.upMs();
  const checkout = openCheckout(given, order);
  const trees = { base: await checkout.treeOf(base.commit), candidate: await candidateOf(checkout, order) };
  await checkout.show(trees.base);
  const frozen = await baseContract(given, { projectDir: checkout.projectDir, name: base.name });
  await install(given, order, { checkout, tree: trees.base });
  // Copies of these dependencies are of no use to anybody else.
  const env = { ...given.env, XDG_CACHE_HOME: join(order.folder, "cache") };
  const machine = { ...given, env, processes: processesOf(given, frozen.settings) };
  await freezeRepository(machine, { runId: order.id, projectDir: checkout.projectDir, parentRunId: null });
  const { signal } = order;
  const sealing = sealRun(machine, { runId: order.id, frozen, tell, base: trees.base, signal });
  const slot = await sealing.finally(() => signal.throwIfAborted());
  if (slot === null) throw new RalphError("contract", "The base could not be sealed.");
  // What is not a command, as a judge, looks at the work tree: there it finds the changes since the base.
  await checkout.show(trees.candidate.tree);
  const state = { ...newRun(frozen.policy), slots: { [sealedGateId]: slot } };
  const seal = runSealOf(machine, { id: order.id, frozen, state, step: order.step });
  if (seal === undefined) throw new RalphError("contract", "The seal of the base could not be opened.");
  try {
    const { isolation, record } = await seal.open();
    const answered = await askGates(machine, {
      ...order,
      runId: order.id,
      frozen,
      seal,
      candidate: trees.candidate.tree,
    });
    return {
      ...judgeVerification(answered),
      base: { tree: trees.base, commit: base.commit },
      candidate: trees.candidate,
      contract: contractOf(frozen),
      seal: { hash: slot.hash, isolation: isolation.kind, problem: isolation.problem },
      checks: [...answered.checks],
      ...sealedFacts({ record, results: seal.results(trees.candidate.tree), frozen }),
      step: order.step,
      durationMs: Math.round(machine.clock.upMs() - startedMs),
    };
  } finally {
    await seal.close();
  }
}

function contractOf({ contract: { hash, revision } }: ContractedRun): Verification["contract"] {
  return { hash, revision };
}

function openCheckout(machine: Machine, { id, repository, folder, base }: RangeVerification): ScratchCheckout {
  return openScratchCheckout({
    context: { ...machine, runId: id },
    repository,
    folder: join(folder, "checkout"),
    commit: base.commit,
    isSha256: base.commit.length === sha256Length,
  });
}

const sha256Length = 64;

async function candidateOf(checkout: ScratchCheckout, { candidate }: RangeVerification): Promise<NamedTree> {
  if (candidate !== "index") return { tree: await checkout.treeOf(candidate.commit), commit: candidate.commit };
  const tree = await checkout.stagedTree().catch((cause: unknown) => {
    const hint = "Resolve the conflicts of the merge, or verify a commit: ralph verify BASE..HEAD.";
    throw new RalphError("scm", `The index cannot be read as a tree: ${String(cause)}`, hint, cause);
  });
  return { tree, commit: null };
}

async function install(
  machine: Machine,
  { id, tell, signal }: RangeVerification,
  { checkout, tree }: { checkout: ScratchCheckout; tree: string },
): Promise<void> {
  const paths = await checkout.files(tree);
  await installDependencies({
    ...machine,
    top: checkout.top,
    paths,
    turnMarker: `${id}.install`,
    signal,
    tell,
  });
}
