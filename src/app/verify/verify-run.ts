import { basename, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Verification } from "../../core/verification/verified/verification.ts";
import { judgeVerification } from "../../core/verification/verified/judge-verification.ts";
import { runSealOf } from "../../shell/drivers/seal-run.ts";
import { candidateTree } from "../../shell/git/trees/candidate.ts";
import { openRunGit } from "../../shell/git/run-git.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { processesOf } from "../../shell/processes/redacting-processes.ts";
import { namedTree } from "../../shell/receipts/named-tree.ts";
import { sealedFacts } from "../../shell/receipts/sealed-facts.ts";
import { createFileArtefacts } from "../../shell/stores/file-artefacts.ts";
import { askGates, type Told } from "./ask-gates.ts";

/** How a run is verified again. */
export type RunVerification = Told & {
  /** A folder of ours that is removed afterwards: logs go there, and neither to the run nor to the project. */
  folder: string;
  step: string | null;
};

/**
 * Verifies the present tree of a run's project by the contract and the seal of that run. Rejects with a `RalphError` for a run that
 * is not over, or was not sealed.
 */
export async function verifyRun(given: Machine, run: RunRecord, order: RunVerification): Promise<Verification> {
  const startedMs = given.clock.upMs();
  const { id, frozen, state } = run;
  const { contract } = frozen;
  const machine = { ...given, processes: processesOf(given, frozen.settings) };
  const seal = runSealOf(machine, { id, frozen, state, step: order.step });
  if (contract === undefined || seal === undefined)
    throw new RalphError("contract", `Run ${id} was not sealed.`, "Verify its commits: ralph verify BASE..HEAD");
  if (run.outcome === null)
    throw new RalphError("locked", `Run ${id} is not over.`, `Wait for it, or end it: ralph cancel ${id}`);
  try {
    const { isolation, record } = await seal.open();
    const git = await openRunGit({ ...machine, runId: id, frozen }, { turnMarker: `${id}.verify` });
    if (git === null) throw new RalphError("scm", `${frozen.projectDir} is no longer in a git repository.`);
    const rule = { stage: frozen.settings.scm?.stage ?? "run", untrackedAtStart: frozen.untrackedAtStart ?? null };
    const { tree: candidate } = await candidateTree(git, rule);
    const contracted = { ...frozen, contract };
    const answered = await askGates(loggingTo(machine, order.folder), {
      ...order,
      runId: id,
      frozen: contracted,
      seal,
      candidate,
    });
    return {
      ...judgeVerification(answered),
      base: await namedTree(git.git, record.base, frozen.startCommit),
      candidate: await namedTree(git.git, candidate, "HEAD"),
      contract: { hash: contract.hash, revision: contract.revision },
      seal: { hash: seal.hash, isolation: isolation.kind, problem: isolation.problem },
      checks: [...answered.checks],
      ...sealedFacts({ record, results: seal.results(candidate), frozen }),
      step: order.step,
      durationMs: Math.round(machine.clock.upMs() - startedMs),
    };
  } finally {
    await seal.close();
  }
}

/** The same machine, with logs of checks and their copies in a folder of ours. */
function loggingTo(machine: Machine, folder: string): Machine {
  const { disk } = machine;
  const openLog: Machine["disk"]["openLog"] = (path, ...rest) =>
    disk.openLog(join(folder, "copies", basename(path)), ...rest);
  return { ...machine, folder, artefacts: createFileArtefacts({ folder, disk }), disk: { ...disk, openLog } };
}
