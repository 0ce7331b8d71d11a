import { canonicalJson } from "../text/canonical-json.ts";
import type { RunKind } from "./run-kind.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import type { Gate } from "./gate.ts";
import type { HeldOutCheck } from "./held-out-check.ts";

/** A gate with what its performer needs: the command, the criterion. The engine sees only the gate. */
export type ContractGate = Gate & {
  /** Plain JSON that only the gate's kind reads. */
  spec: unknown;
};

/** What done means for one run: resolved once, frozen at start. */
export type Contract = {
  /** How often people have changed it between turns. */
  revision: number;
  /** Of the canonical text: equal on every machine for equal gates. */
  hash: string;
  gates: ContractGate[];
};

/** Where the conditions of done come from. */
export type ContractSources = {
  surface: RunKind;
  settings: ContractSettings;
  /** The files the settings were read from, each with what it held. */
  settingsFiles: Readonly<Record<string, unknown>>;
  /** Guardrails from this place on are verify commands of the task list; null: none are. */
  verifyCommandsFrom: number | null;
  /** The criterion of the role whose run this is. */
  role: RoleCriterion | null;
  /** Only of a work run itself: the criteria of all its roles, each of which is verified in a run of its own. */
  workCriteria?: readonly RoleCriterion[];
  /** The criteria of the project, for every surface. */
  projectCriteria: readonly RoleCriterion[];
  /** Checks also run once before the first turn; the results only change words. */
  hasBaseline: boolean;
  /** The run began at a commit: without one there is no base to seal. */
  isInRepository?: boolean;
  /** Checks that the agent never sees; absent: none. */
  heldOut?: readonly HeldOutCheck[];
  /** The task of a role's run. */
  taskId?: string | null;
};

/** The part of the settings that becomes gates. */
export type ContractSettings = {
  guardrails: readonly { command: string }[];
  guardrailTimeout: number | null;
  children: { wait: number | null };
  /** Absent in runs of versions that sealed nothing. */
  seal?: SealSettings;
};

/** The settings of the seal as far as a contract knows them; the rest is told to whoever runs sealed checks. */
export type SealSettings = { checks: "claims" | "off"; timeout: number | null };

/** The gates as the engine walks them. */
export function policyGates(gates: readonly ContractGate[]): Gate[] {
  return gates.map(({ id, kind, name, when, isBeforeDelivery, isAlways, origin, limits, tells, isClaimOnly }) => ({
    id,
    kind,
    name,
    when,
    isBeforeDelivery,
    isAlways,
    origin,
    limits,
    tells,
    ...(isClaimOnly === undefined ? {} : { isClaimOnly }),
  }));
}

/** The text a contract is hashed by: keys sorted, no path of this machine, no tree. */
export function canonicalContract(gates: readonly ContractGate[]): string {
  return canonicalJson(gates.map((gate) => ({ ...gate, origin: undefined })));
}
