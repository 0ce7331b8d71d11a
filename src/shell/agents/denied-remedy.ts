import type { AgentAdapter } from "./adapter.ts";

/** What to add to an agent's flags after these tools were denied: as little as is known to help. Null: nothing is known. */
export function deniedRemedy(
  { editFlags, commandFlags }: Pick<AgentAdapter, "editFlags" | "commandFlags">,
  flags: readonly string[],
  denied: readonly string[],
): string | null {
  if (commandFlags === undefined) return editFlags;
  const areEditsAllowed = editFlags !== null && ` ${flags.join(" ")} `.includes(` ${editFlags} `);
  const isCommandDenied = denied.some((name) => commandFlags.tools.includes(name));
  return areEditsAllowed || isCommandDenied ? commandFlags.flags : editFlags;
}
