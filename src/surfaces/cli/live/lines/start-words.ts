import type { TakenRun } from "../../../../shell/drivers/start-run.ts";

/** What the start line says of a run: `starts, guarded`, or `continues` where nobody asks for a guard. */
export function startWords({ isResumed, isGuarded }: TakenRun): string {
  const begins = isResumed ? "continues" : "starts";
  if (isGuarded === null) return begins;
  return `${begins}, ${isGuarded ? "guarded" : "unguarded"}`;
}
