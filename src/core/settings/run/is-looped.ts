import type { Role } from "../../tasks/criteria/role.ts";

/** What settings say of repeating; runs of an earlier version have frozen none of it. */
export type LoopSettings = { loop?: { enabled: boolean }; work: { loops?: Record<Role, boolean> } };

/** Whether a run may have more than one iteration; a role must be allowed it, too. */
export function isLooped({ loop, work }: LoopSettings, role: Role | null = null): boolean {
  return (loop?.enabled ?? true) && (role === null || (work.loops?.[role] ?? true));
}
