import type { Verification } from "../tasks/criteria/completion-spec.ts";
import type { ContractGate, ContractSources, SealSettings } from "./contract.ts";

/** The kind of the gate that adds to sealed checks what one run of them cannot show. */
export const sealedKind = "sealed";

/** The id of the only such gate of a run. */
export const sealedGateId = "sealed";

/** What the gate holds a claim to: the settings of the seal, so that they are part of the contract's hash. */
export type SealedSpec = { seal: SealSettings };

/**
 * On a claim: tools and lock files as before the first turn, tests that stay green, tests that notice false expectations. A run
 * without anything to seal, outside of git or with sealing switched off has no such gate.
 */
export function sealedGates(sources: ContractSources): ContractGate[] {
  const { seal } = sources.settings;
  if (seal === undefined || !isSealed(sources)) return [];
  if (sealedCommands(sources).length === 0 && (sources.heldOut ?? []).length === 0 && !hasJudge(sources)) return [];
  const spec: SealedSpec = { seal };
  return [
    {
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
    },
  ];
}

/** Whether the checks of a claim are to run sealed. */
export function isSealed({ surface, settings, isInRepository = false }: ContractSources): boolean {
  const checks = settings.seal?.checks ?? "off";
  return surface === "run" && isInRepository && checks !== "off";
}

/** Said before the first turn of a run whose checks are not sealed although the settings ask for it; null: nobody is misled. */
export function unsealedNote(sources: ContractSources): string | null {
  const checks = sources.settings.seal?.checks ?? "off";
  const obstacle = checks === "off" ? null : obstacleOf(sources);
  return obstacle === null ? null : `Checks are not sealed, although seal.checks is "${checks}": ${obstacle}.`;
}

/** Why the checks of this run are not sealed; null: they are. */
function obstacleOf(sources: ContractSources): string | null {
  const { surface, isInRepository = false } = sources;
  if (surface !== "run") return "only ralph run and ralph verify seal them";
  if (!isInRepository) return "the project is not at a commit of a git repository";
  return sealedGates(sources).length === 0 ? "no check is a command" : null;
}

/** The commands of all checks, each once: what is calibrated and what runs in a sealed copy. */
export function sealedCommands({ settings, role, projectCriteria }: ContractSources): string[] {
  const criteria = [...(role === null ? [] : [role]), ...projectCriteria];
  const own = settings.guardrails.map(({ command }) => command);
  return [...new Set([...own, ...criteria.flatMap(({ criterion }) => commandsOf(criterion.verification))])];
}

/** Whether a judge looks at the work: it must look where the agent never was. */
function hasJudge({ role, projectCriteria }: ContractSources): boolean {
  const criteria = [...(role === null ? [] : [role]), ...projectCriteria];
  return criteria.some(({ criterion }) => isJudged(criterion.verification));
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
