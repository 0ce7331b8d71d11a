import type { GateContext } from "./gate-kind.ts";

/**
 * The role whose turn an iteration's gates judge; `run` where turns have no role. On a task list the state names it only
 * until the list's gate has answered, so it is read once for each iteration, when the first gate is asked. Must not reject.
 */
export function openTurnRole({ context }: Pick<GateContext, "context">): (iteration: number) => Promise<string> {
  const fixed = context.frozen.criterion?.role ?? (context.frozen.prd === undefined ? "run" : null);
  let known: { iteration: number; role: string } | null = null;
  return async (iteration) => {
    if (fixed !== null) return fixed;
    if (known?.iteration === iteration) return known.role;
    const [record] = await context.store.find(context.runId).catch(() => []);
    const role = record?.state.assignment?.role ?? "run";
    known = { iteration, role };
    return role;
  };
}
