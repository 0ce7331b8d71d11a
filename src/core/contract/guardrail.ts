import type { ContractGate, ContractSources } from "./contract.ts";

/** The kind of gates made of the guardrails of the settings. */
export const guardrailKind = "guardrail";

/** One gate per guardrail after every turn; with a baseline each also runs once before the first turn. */
export function guardrailGates(sources: ContractSources): ContractGate[] {
  const { settings, hasBaseline } = sources;
  const gates = settings.guardrails.map(({ command }, index): ContractGate => {
    return {
      id: `guardrail-${index + 1}`,
      kind: guardrailKind,
      // The command itself: the gate needs nothing else.
      name: command,
      when: "every-turn",
      isBeforeDelivery: true,
      isAlways: false,
      origin: originOf(sources, index),
      limits: { wallMs: settings.guardrailTimeout },
      tells: "output",
      spec: null,
    };
  });
  const baseline = gates.map((gate) => ({ ...gate, id: `baseline-${gate.id}`, when: "before-first-turn" as const }));
  return hasBaseline ? [...baseline, ...gates] : gates;
}

function originOf(sources: ContractSources, index: number): string {
  const { verifyCommandsFrom: from } = sources;
  return from !== null && index >= from
    ? `task list verifyCommands[${index - from}]`
    : `${settingsFile(sources)} guardrails[${index}]`;
}

/** The last file with guardrails counts: a later file replaces the whole list. */
function settingsFile({ settingsFiles }: ContractSources): string {
  const holders = Object.entries(settingsFiles).filter(([, value]) => isNaming(value));
  const path = holders.at(-1)?.[0];
  return path === undefined ? "settings" : path.split("/").slice(-2).join("/");
}

function isNaming(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("guardrails" in value || "checks" in value);
}
