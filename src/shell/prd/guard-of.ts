import { shippedPath } from "../package-folder.ts";
import type { AgentAdapter } from "../agents/adapter.ts";

/** Whether the commands of an agent are looked at before they run, and what makes its program ask. */
export type Guard = { isActive: boolean; flags: readonly string[] };

const noGuard: Guard = { isActive: false, flags: [] };

/** The guard and the stop checks that a run on a task list can give an agent outside a sandbox (CW-4B). */
export function guardOf({ hookFlags }: Pick<AgentAdapter, "hookFlags">, given: readonly string[]): Guard {
  const hook = hookFlags === undefined ? null : findHook();
  const flags = hook === null ? null : (hookFlags?.(hook, given) ?? null);
  return flags === null ? noGuard : { isActive: true, flags };
}

/** How a host starts our hook; null where this program was not built. */
function findHook(): string[] | null {
  try {
    return [process.execPath, shippedPath("dist", "hook.cjs")];
  } catch {
    // Without its hook an agent is not guarded, which the run says before it starts.
    return null;
  }
}
