import { mergeLayers } from "../text/merge.ts";
import { programName } from "../text/program-name.ts";
import { type SettingsLayer, valueAt } from "./settings-layer.ts";

/**
 * Flags and model belong to the agent program they stand beside. Layers that name another one than those below them get a
 * layer that drops both; what they give themselves stays.
 */
export function withoutOtherAgent(below: readonly SettingsLayer[], over: readonly SettingsLayer[]): SettingsLayer[] {
  const naming = over.findLast((layer) => agentIn(layer.value) !== null);
  const before = agentIn(below.reduce<unknown>((base, { value }) => mergeLayers(base, value), {}));
  const agent = agentIn(naming?.value);
  if (naming === undefined || agent === before || before === null) return [...below, ...over];
  const { source } = naming;
  return [...below, { source, value: { agent: { flags: [], model: null } } }, ...over];
}

function agentIn(settings: unknown): string | null {
  const command = valueAt(settings, ["agent", "command"]);
  return typeof command === "string" && command.trim() !== "" ? programName(command.trim()) : null;
}
