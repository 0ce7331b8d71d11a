import type { AgentAdapter } from "../agents/adapter.ts";

/** Whether the commands of an agent are looked at before they run. */
export type Guard = { isActive: boolean };

/** The guard that a run on a task list can give an agent outside a sandbox (CW-4B); no agent has one yet. */
export function guardOf(_agent: AgentAdapter): Guard {
  return { isActive: false };
}
