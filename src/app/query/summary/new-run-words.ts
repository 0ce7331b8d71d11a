import { isEndedByDenial } from "../../../core/policies/fatal.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { promptWords, runWords } from "./start-words.ts";

/** A longer prompt is not repeated on a command line. */
const promptCharsMax = 1000;

/**
 * The command line of a new run like this one, whose agent may edit files. Null: a resume can continue it, or no command
 * line says the same.
 */
export function newRunWords({ frozen, state }: Pick<RunRecord, "frozen" | "state">): string[] | null {
  if (!isHeldByDenial(state) || state.policy.kind !== "run") return null;
  const remedy = state.facts.report?.deniedRemedy ?? null;
  const { prompt } = frozen;
  const { flags } = frozen.settings.agent;
  if (remedy === null || flags.some((flag) => flag.includes(","))) return null;
  if (prompt.kind === "text" && prompt.text.length > promptCharsMax) return null;
  return ["ralph", "run", ...promptWords(frozen), ...runWords(frozen), `--agent-flags=${[...flags, remedy].join(",")}`];
}

/** Denied tools ended the run, or were the last that was seen of it. */
function isHeldByDenial(state: RunRecord["state"]): boolean {
  const isOver = state.outcome?.name === "stopped" || state.outcome?.name === "exhausted";
  return isEndedByDenial(state) || (isOver && (state.facts.report?.tools.deniedChanges ?? 0) > 0);
}
