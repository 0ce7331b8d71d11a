import { unstableReason } from "../../prompts/prompt-texts.ts";
import type { Verdict } from "../../verification/verdict.ts";
import { redVerdict } from "../read-verdicts.ts";

/** How each file of a tree was found, by path. */
export type Look = ReadonlyMap<string, string>;

/** Whether verdicts need a second look at the tree: a red one counts whatever the tree is now. */
export function areAllPassed(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ isPassed }) => isPassed);
}

/** Whether the checks judged the tree that is there now; if not, all of them run once more. */
export function isSameTree(began: Look, ended: Look): boolean {
  return differing(began, ended).length === 0;
}

/** Whether the second run judged the tree that is there now, by its content; there is no third one. */
export function isSettled(content: { before: string; after: string; isRepository: boolean }): boolean {
  return content.before === content.after && content.isRepository;
}

/** The verdicts on a tree that changed again, with a red one that names what changed. */
export function unsettled(verdicts: readonly Verdict[], { before, after }: { before: Look; after: Look }): Verdict[] {
  const paths = differing(before, after).filter((path) => path !== "");
  const reason = unstableReason(paths.length === 0 ? ["the repository"] : paths);
  return [...verdicts, { ...redVerdict(reason, verdicts.length), name: "unchanged files" }];
}

function differing(before: Look, after: Look): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
