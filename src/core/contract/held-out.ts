import type { ContractGate, ContractSources } from "./contract.ts";
import type { HeldOutCheck } from "./held-out-check.ts";
import { isSealed } from "./sealed.ts";

/** The kind of the gate whose checks the agent never sees. */
export const heldOutKind = "held-out";

/** The id of the only such gate of a run; it finds the gate's memory. */
export const heldOutGateId = "held-out";

/**
 * What the gate asks: everything but where files came from, so that it is part of the contract's hash. `tasks` only on merged tips, which
 * hold some tasks and not yet others.
 */
export type HeldOutSpec = { checks: (Omit<HeldOutCheck, "tasks"> & { tasks?: string[] })[] };

/** On a claim that every other check accepts: the checks that the agent has never seen. Without a seal there is no copy to run them in. */
export function heldOutGates(sources: ContractSources): ContractGate[] {
  const checks = heldOutOf(sources);
  if (checks.length === 0 || !isSealed(sources)) return [];
  const spec: HeldOutSpec = {
    checks: checks.map(({ name, command, files, hint, tasks }) => ({
      name,
      command,
      hint,
      files: files.map(({ path, hash }) => ({ path, hash })),
      ...(isOfTips(sources) && tasks.length > 0 ? { tasks } : {}),
    })),
  };
  return [
    {
      id: heldOutGateId,
      kind: heldOutKind,
      name: `held-out: ${checks.map(({ name }) => name).join(", ")}`,
      when: "on-claim",
      isBeforeDelivery: true,
      isAlways: false,
      origin: "held-out checks of the project",
      limits: { wallMs: sources.settings.seal?.timeout ?? null },
      tells: "reason",
      spec,
    },
  ];
}

/** The contract of a work run is asked on merged tips; a role run has a contract of its own. */
function isOfTips({ surface, role }: ContractSources): boolean {
  return surface === "work" && role === null;
}

/** Gates as they are asked about these tasks: held-out checks of others are not. */
export function gatesAbout(gates: readonly ContractGate[], ids: ReadonlySet<string>): ContractGate[] {
  return gates.map((gate) => {
    if (gate.kind !== heldOutKind) return gate;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the spec of this kind, made above
    const { checks } = gate.spec as HeldOutSpec;
    return { ...gate, spec: { checks: checks.filter(({ tasks = [] }) => isAbout({ tasks }, ids)) } };
  });
}

/**
 * The checks that a run is held to: those of its task, and those that belong to none. A list is complete when all its tasks are, and a
 * work run asks about each task once it is merged.
 */
function heldOutOf(sources: ContractSources): readonly HeldOutCheck[] {
  const { surface, heldOut = [], taskId = null } = sources;
  if (surface === "prd" || isOfTips(sources)) return heldOut;
  const ids = new Set(taskId === null ? [] : [taskId]);
  return heldOut.filter((check) => isAbout(check, ids));
}

/** Whether a check is about one of these tasks, or about none in particular. */
export function isAbout({ tasks }: Pick<HeldOutCheck, "tasks">, ids: ReadonlySet<string>): boolean {
  return tasks.length === 0 || tasks.some((id) => ids.has(id));
}
