import { shippedPath } from "../../lib/package-folder.ts";
import type { AgentAdapter, HookedRun, PluginEnvOptions } from "../../agents/adapter.ts";

/** Whether the commands of an agent are looked at before they run, and what makes its program ask. */
export type Guard = { isActive: boolean; flags: readonly string[]; env: Readonly<Record<string, string>> };

/** What an agent has that nothing guards. */
export const noGuard: Guard = { isActive: false, flags: [], env: {} };

/** The guard that a run can give an agent outside a sandbox; on a task list also stop checks and monitor (CW-4B). */
export function guardOf(
  { hookFlags, pluginEnv }: Pick<AgentAdapter, "hookFlags" | "pluginEnv">,
  given: PluginEnvOptions,
  kind: HookedRun,
): Guard {
  const env = pluginEnv?.(given) ?? null;
  if (env !== null) return { isActive: true, flags: [], env };
  const hook = hookFlags === undefined ? null : findHook();
  const flags = hook === null ? null : (hookFlags?.(hook, given.flags, kind) ?? null);
  return flags === null ? noGuard : { isActive: true, flags, env: {} };
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
