import { languageOf } from "../syntax/language.ts";
import { scanTokens } from "../syntax/scan-tokens.ts";
import { isTestPath } from "../test-path.ts";
import { findChanges, type Change } from "./find-changes.ts";

/** One small mistake in the code: where and of which kind, and the whole text of the file with it. */
export type Mutant = { line: number; kind: Change["kind"]; text: string };

/** Which lines were changed, how many mutants are wanted, and who chooses: `pick(n)` is a whole number below n. */
export type MutantOptions = { changedLines: ReadonlySet<number>; max: number; pick: (count: number) => number };

/** Mutants of the changed lines of a file, in the order of the text. None for tests and for files that are no code. */
export function mutantsOf(path: string, text: string, { changedLines, max, pick }: MutantOptions): Mutant[] {
  const language = languageOf(path);
  if (language === null || isTestPath(path) || text.length > charactersMax) return [];
  const changes = findChanges(scanTokens(text, language), language).filter(
    ({ line, to }) => changedLines.has(line) && !isContinued(text, to),
  );
  const chosen: Change[] = [];
  while (chosen.length < max && changes.length > 0) {
    const at = Math.min(Math.max(0, Math.trunc(pick(changes.length))), changes.length - 1);
    chosen.push(...changes.splice(at, 1));
  }
  return chosen
    .toSorted((one, other) => one.from - other.from)
    .map(({ line, kind, from, to, text: put }) => ({ line, kind, text: text.slice(0, from) + put + text.slice(to) }));
}

/** Whether a backslash joins the next line to what ends here. */
function isContinued(text: string, at: number): boolean {
  return /^[^\S\n]*\\/.test(text.slice(at, at + 40));
}

/** Whether the checks noticed enough of the mutants; without any there is nothing to notice. */
export function areEnoughNoticed(noticed: number, total: number, share = shareMin): boolean {
  return total <= 0 || noticed >= total * share;
}

/** Sixty per cent: a good suite notices more, and some mutants change nothing that anybody could notice. */
const shareMin = 0.6;
const charactersMax = 1_000_000;
