import type { AddedLine } from "../diff-lines.ts";
import { areEnoughNoticed, mutantsOf, type Mutant } from "./mutants-of.ts";

/** A mutant and the file that it stands in. */
export type FileMutant = Mutant & { path: string };

/** What a candidate changed, and how many mutants of it are wanted. `seed`: the same one gives the same mutants. */
export type MutantChoice = {
  lines: readonly AddedLine[];
  texts: ReadonlyMap<string, string>;
  max: number;
  seed: string;
};

/** Small mistakes in the added lines of all files: every file gets its turn, so that a long one does not take them all. */
export function chooseMutants({ lines, texts, max, seed }: MutantChoice): FileMutant[] {
  const pick = pickFrom(seed);
  const byFile = [...Map.groupBy(lines, ({ path }) => path)].map(([path, added]) => {
    const changedLines = new Set(added.map(({ line }) => line));
    return mutantsOf(path, texts.get(path) ?? "", { changedLines, max, pick }).map((mutant) => ({ ...mutant, path }));
  });
  const chosen: FileMutant[] = [];
  for (let round = 0; round < max && chosen.length < max; round += 1)
    chosen.push(...byFile.flatMap((mutants) => mutants[round] ?? []).slice(0, max - chosen.length));
  return chosen;
}

/** Numbers that nobody can foresee before the candidate is fixed, and that are the same whenever it is verified again. */
function pickFrom(seed: string): (count: number) => number {
  let state = 7;
  for (const character of seed) state = (state * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return (count) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % count;
  };
}

/** What the runs with mutants showed; `total` may be less than were wanted. */
export type MutantFacts = { unnoticed: readonly FileMutant[]; total: number };

/** Why too few mistakes were noticed; null: enough were. */
export function judgeMutants({ unnoticed, total }: MutantFacts): string | null {
  if (areEnoughNoticed(total - unnoticed.length, total)) return null;
  const places = unnoticed.slice(0, placesMax).map(({ path, line, kind }) => `${path}:${line} (${kind})`);
  const more = unnoticed.length > placesMax ? ` and ${unnoticed.length - placesMax} more` : "";
  return [
    `The checks noticed only ${total - unnoticed.length} of ${total} small mistakes in the changed lines; 60 % must be noticed.`,
    `Not noticed: ${places.join(", ")}${more}. Add tests for them.`,
  ].join(" ");
}

/** Places in one sentence. */
const placesMax = 10;
