import { type FamilyTarget, killFamily } from "./end-family.ts";

const unfinished = new Set<FamilyTarget>();

/**
 * Kills a family when this program exits before it is over: nobody is left then who could end it, and there is no time for a
 * grace. Returns how to forget it. One listener serves all, and none is left when nothing runs.
 */
export function endAtExit(target: FamilyTarget): () => void {
  if (unfinished.size === 0) process.on("exit", killUnfinished);
  unfinished.add(target);
  return () => {
    unfinished.delete(target);
    if (unfinished.size === 0) process.off("exit", killUnfinished);
  };
}

function killUnfinished(): void {
  for (const target of unfinished) killFamily(target);
}
