import { RalphError } from "../../core/ralph-error.ts";
import { isUnfinished, runsOf } from "../query/find/runs-of.ts";
import { livingTargets, type RunName, type Target, type TargetContext, targetToChange } from "../query/find/target.ts";

/**
 * What can be meant by a cancel: what is named, else every active run of the directory. Throws when there is none: a run
 * that has ended is cancelled only by its id.
 */
export async function cancellable(context: TargetContext, name: RunName): Promise<Target[]> {
  if ("id" in name) return [await targetToChange(context, name.id)];
  const { directory } = name;
  const living = await livingTargets(context, directory);
  if (living.length > 0) return living;
  const ended = (await runsOf(context, directory)).find(isUnfinished);
  const hint =
    ended === undefined
      ? "`ralph status --all` lists every run."
      : `Run ${ended.id} has ended (${ended.outcome?.name}) and can be resumed; to end it for good: ralph cancel ${ended.id}`;
  throw new RalphError("not-found", `There is no active run in ${directory}.`, hint);
}
