import type { Verification } from "../tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import type { ContractGate, ContractSources, SealSettings } from "./contract.ts";

/** The kind of the gate that adds to sealed checks what one run of them cannot show. */
export const sealedKind = "sealed";

/** The id of the gate that remembers the seal of a run. */
export const sealedGateId = "sealed";

/** What the gate holds a claim to: the settings of the seal, so that they are part of the contract's hash. */
export type SealedSpec = { seal: SealSettings };

/**
 * On a claim: tools and lock files as before the first turn, tests that stay green, tests that notice false expectations. A run
 * without anything to seal, outside of git or with sealing switched off has no such gate.
 */
export function sealedGates(sources: ContractSources): ContractGate[] {
  const gate = sealedGateOf(sources);
  if (gate === null) return [];
  // On a task list the gate of every turn remembers the seal.
  return sources.surface === "prd" ? [{ ...gate, id: `${sealedGateId}-claim` }] : [gate];
}

/** The gate of a claim; null: the run seals nothing. */
export function sealedGateOf(sources: ContractSources): ContractGate | null {
  const { seal } = sources.settings;
  if (seal === undefined || !isSealed(sources)) return null;
  // What only roles verify is sealed in their runs.
  if (!hasSealable({ ...sources, workCriteria: [] })) return null;
  const spec: SealedSpec = { seal };
  return {
    id: sealedGateId,
    kind: sealedKind,
    name: "sealed verification",
    when: "on-claim",
    isBeforeDelivery: true,
    isAlways: false,
    origin: "seal of the settings",
    limits: { wallMs: seal.timeout },
    tells: "reason",
    spec,
  };
}

/** Whether the checks of a claim are to run sealed. */
export function isSealed({ surface, settings, isInRepository = false }: ContractSources): boolean {
  const checks = settings.seal?.checks ?? "off";
  return sealedSurfaces.has(surface) && isInRepository && checks !== "off";
}

/** Whose checks are sealed. */
const sealedSurfaces: ReadonlySet<ContractSources["surface"]> = new Set(["run", "prd", "supervise", "work"] as const);

/** Said before the first turn of a run whose checks are not sealed although the settings ask for it; null: nobody is misled. */
export function unsealedNote(sources: ContractSources): string | null {
  const checks = sources.settings.seal?.checks ?? "off";
  const reason = checks === "off" ? null : unsealedReason(sources);
  return reason === null ? null : `Checks are not sealed, although seal.checks is "${checks}": ${reason}.`;
}

/** Why the checks of this run are not sealed; null: they are. */
export function unsealedReason(sources: ContractSources): string | null {
  const { surface, settings, isInRepository = false } = sources;
  if (!sealedSurfaces.has(surface))
    return "only ralph run, ralph prd run, ralph supervise, ralph work and ralph verify seal them";
  if ((settings.seal?.checks ?? "off") === "off") return 'seal.checks is "off"';
  if (!isInRepository) return "the project is not at a commit of a git repository";
  return hasSealable(sources) ? null : "no check is a command";
}

/** Whether a claim is verified by anything that can run in a sealed copy. */
function hasSealable(sources: ContractSources): boolean {
  return sealedCommands(sources).length > 0 || (sources.heldOut ?? []).length > 0 || hasJudge(sources);
}

/** The commands of all checks, each once: what is calibrated and what runs in a sealed copy. */
export function sealedCommands(sources: ContractSources): string[] {
  const own = sources.settings.guardrails.map(({ command }) => command);
  return [...new Set([...own, ...criteriaOf(sources).flatMap(({ criterion }) => commandsOf(criterion.verification))])];
}

/** Whether a judge looks at the work: it must look where the agent never was. */
function hasJudge(sources: ContractSources): boolean {
  return criteriaOf(sources).some(({ criterion }) => isJudged(criterion.verification));
}

function criteriaOf({ role, workCriteria = [], projectCriteria }: ContractSources): RoleCriterion[] {
  return [...(role === null ? [] : [role]), ...workCriteria, ...projectCriteria];
}

function isJudged(verification: Verification): boolean {
  if (verification.method === "multi_stage") return verification.stages.some((stage) => isJudged(stage.verification));
  return verification.method === "semantic";
}

function commandsOf(verification: Verification): string[] {
  if (verification.method === "external") return [verification.command];
  if (verification.method !== "multi_stage") return [];
  return verification.stages.flatMap((stage) => commandsOf(stage.verification));
}
