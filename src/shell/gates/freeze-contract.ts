import {
  canonicalContract,
  type Contract,
  type ContractGate,
  type ContractSources,
  policyGates,
} from "../../core/contract/contract.ts";
import { hasChecks } from "../../core/contract/contract-lines.ts";
import type { Policy } from "../../core/run/policy.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { uncheckedTasks } from "../../core/work/unchecked-tasks.ts";
import { workCriteria } from "../../core/work/work-criteria.ts";
import type { Guardrail } from "../../core/settings/settings.ts";
import { hashText } from "../stores/hash-text.ts";
import type { GateKind } from "./gate-kind.ts";

/** A run whose contract is frozen with it. */
export type ContractedRun = FrozenRun & { contract: Contract };

/** Resolves what done means for a run, once; the engine gets the gates, the run keeps the whole. */
export async function freezeContract(kinds: readonly GateKind[], frozen: FrozenRun): Promise<ContractedRun> {
  const sources = contractSources(frozen);
  const gates = kinds.flatMap((kind) => kind.gatesOf(sources));
  requireOwnIds(gates);
  const contract = { revision: 1, hash: await hashText(canonicalContract(gates)) };
  const isUnchecked = !hasChecks(gates);
  if (frozen.settings.completion.requireChecks) refuseUnchecked(frozen, gates);
  // Where nothing else is looked at, a claim without any change is the agent's word about nothing.
  const isMoveWanted =
    frozen.settings.completion.requireProgress === null && frozen.policy.kind === "run" && isUnchecked;
  const requireProgress = frozen.policy.requireProgress || isMoveWanted;
  const policy = { ...frozen.policy, requireProgress, gates: policyGates(gates), contract };
  return { ...frozen, contract: { ...contract, gates }, policy };
}

/** The state knows gates by their ids: a run with two of one id could not be read again. */
function requireOwnIds(gates: readonly ContractGate[]): void {
  const kinds = new Map<string, string>();
  for (const { id, kind } of gates) {
    const other = kinds.get(id);
    if (other !== undefined)
      throw new RalphError(
        "contract",
        `Two gates have the id ${JSON.stringify(id)}: one of the kind ${other}, one of the kind ${kind}.`,
        "Give the gates of your own kinds (option gates) ids that no other gate has.",
      );
    kinds.set(id, kind);
  }
}

/** A work run is asked task by task; the run of one of its roles is not asked again. */
function refuseUnchecked(frozen: FrozenRun, gates: readonly ContractGate[]): void {
  const tasks = uncheckedTasks(frozen, gates);
  const isUnchecked = frozen.policy.kind === "work" ? tasks.length > 0 : !hasChecks(gates);
  if (!isUnchecked) return;
  const [which, remedy] =
    tasks.length === 0
      ? ["", ""]
      : [
          ` for ${tasks.join(", ")}, where every role is verified by string_match`,
          ", or give a role another verification",
        ];
  throw new RalphError(
    "contract",
    `No check is configured${which}, and completion.requireChecks is true.${claimOnlyText(gates)}`,
    `Add one with ralph init, or as "guardrails" in .ralph/settings.json${remedy}.`,
  );
}

/** Names the criteria that look like checks and are none. */
function claimOnlyText(gates: readonly ContractGate[]): string {
  const origins = gates.flatMap(({ isClaimOnly, origin }) => (isClaimOnly === true ? [origin] : []));
  return origins.length === 0 ? "" : ` Met by the claim alone, as string_match is: ${origins.join(", ")}.`;
}

/** The contract after people changed the checks of a task list between turns: one revision more, with its own hash. */
export async function reviseContract(
  kinds: readonly GateKind[],
  { frozen, guardrails, former }: { frozen: FrozenRun; guardrails: Guardrail[]; former: number },
): Promise<Pick<Policy, "gates" | "contract">> {
  const sources = contractSources({ ...frozen, settings: { ...frozen.settings, guardrails } });
  const gates = kinds.flatMap((kind) => kind.gatesOf(sources));
  const contract = { revision: former + 1, hash: await hashText(canonicalContract(gates)) };
  return { gates: policyGates(gates), contract };
}

/** What the contract of a run is made of. */
export function contractSources(frozen: FrozenRun): ContractSources {
  const { policy, settings, settingsFiles, criterion, projectCriteria, prd, startCommit, heldOut, task } = frozen;
  const surface = policy.kind;
  return {
    surface,
    settings,
    settingsFiles,
    verifyCommandsFrom: prd?.settingsGuardrails ?? null,
    role: criterion ?? null,
    ...(frozen.work === undefined ? {} : { workCriteria: workCriteria(frozen) }),
    projectCriteria: projectCriteria ?? [],
    // A look before the first turn tells what was broken from what broke; roles and lists always want to know.
    hasBaseline: surface === "work" || surface === "prd" || (surface === "run" && settings.baseline),
    isInRepository: startCommit !== null,
    ...(heldOut === undefined ? {} : { heldOut }),
    taskId: task?.id ?? null,
  };
}
