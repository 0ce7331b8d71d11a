import { createContext, Script } from "node:vm";
import { negativeFound } from "../../core/verification/verification-texts.ts";
import type { NegativePattern } from "../../core/tasks/criteria/completion-spec.ts";
import { isPatternIn } from "../../core/tasks/criteria/negative-pattern.ts";
import type { LookContext } from "../git/trees/look.ts";
import { changedFiles, treeDiff } from "../git/trees/tree-diff.ts";

/** An expression that takes longer than this on the changes of one task never ends. */
const searchMsMax = 5000;

type Place = { look: LookContext; startCommit: string | null; turnText: string };

/** The first pattern that stands where it must not, or that could not be looked for, as a reason; null: none (CW-2N). */
export async function findNegative(patterns: readonly NegativePattern[], place: Place): Promise<string | null> {
  for (const scope of ["output", "diff", "files"] as const) {
    const ofScope = patterns.filter((pattern) => pattern.scope === scope);
    if (ofScope.length === 0) continue;
    const text = await textOf(scope, place);
    if (text === null) return `The ${scope} cannot be searched for negative patterns: too large, or no repository`;
    for (const pattern of ofScope) {
      const isFound = search(pattern, text);
      if (isFound === null)
        return `Negative pattern ${pattern.pattern} took longer than ${searchMsMax / 1000}s to look for`;
      if (isFound) return negativeFound(pattern.pattern);
    }
  }
  return null;
}

async function textOf(scope: NegativePattern["scope"], place: Place): Promise<string | null> {
  if (scope === "output") return place.turnText;
  const read = scope === "diff" ? treeDiff : changedFiles;
  const changes = await read(place.look, place.startCommit);
  if (changes === null || !changes.isWhole) return null;
  return scope === "diff" ? addedLines(changes.text) : changes.text;
}

/** A removed line does not count. */
function addedLines(diff: string): string {
  const added: string[] = [];
  let isHunk = false;
  for (const line of diff.split("\n")) {
    // `+++` is a file's name only before the first hunk of that file.
    if (line.startsWith("diff --git ")) isHunk = false;
    else if (line.startsWith("@@")) isHunk = true;
    else if (isHunk && line.startsWith("+")) added.push(line.slice(1));
  }
  return added.join("\n");
}

/** Null when an expression does not come to an end. A plain text always does. */
function search(pattern: NegativePattern, text: string): boolean | null {
  if (!pattern.isRegex) return isPatternIn(pattern, text);
  try {
    const context = createContext({ isFound: () => isPatternIn(pattern, text) });
    return new Script("isFound()").runInContext(context, { timeout: searchMsMax }) === true;
  } catch {
    return null;
  }
}
