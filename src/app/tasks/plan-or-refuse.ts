import { RalphError } from "../../core/ralph-error.ts";
import {
  type ImportOptions,
  type ImportPlan,
  planImport,
  taskProblemLine,
  type TaskSource,
} from "../../core/tasks/plan-import.ts";

/** The plan for storing `sources`, or an error with one line per problem. */
export function planOrRefuse(sources: readonly TaskSource[], options: ImportOptions): ImportPlan {
  const plan = planImport(sources, options);
  if (!("problems" in plan)) return plan;
  const lines = plan.problems.slice(0, problemsMax).map(taskProblemLine);
  const more = plan.problems.length - lines.length;
  const isOnlyStored = plan.problems.every(({ message }) => message === "there is already another task of this id");
  throw new RalphError(
    "task",
    [...lines, ...(more > 0 ? [`and ${more} more problems`] : [])].join("\n"),
    isOnlyStored
      ? "Nothing was stored. Import with --replace to make new versions of them."
      : "Nothing was stored. Correct what is named and try again.",
  );
}

/** How many problems are shown. */
const problemsMax = 50;
