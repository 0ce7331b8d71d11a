import { languageOf } from "../syntax/language.ts";
import { openCode, type Edit } from "./code.ts";
import { disguiseMarks } from "./disguise-marks.ts";
import { falsifyingEdits } from "./falsify-file.ts";
import { invertAround } from "./invert.ts";
import { invertShell, isShellFile } from "./shell.ts";

/** A test file with one false expectation. */
export type SingleSpot = {
  /** The same for the same place of the same file. */
  id: string;
  path: string;
  text: string;
  /** The file with the same assertion turned around; null: nobody knows how. */
  inverted: string | null;
  /** The helper that gets the value; null: it is an assertion that everybody knows. */
  group: string | null;
  /** What the change puts in the place of what, where it leaves a text that a check may print. */
  mark: { added: string; removed: string };
};

/** Makes each expectation of test files false on its own, but of many only so many, from all over the files. */
export function singleSpots(texts: ReadonlyMap<string, string>, spotsMax: number): SingleSpot[] {
  const all = placesIn(texts);
  const part = (index: number): number => Math.floor((index * spotsMax) / all.length);
  return all.filter((_, index) => all.length <= spotsMax || part(index) !== part(index - 1)).map(spotOf);
}

/** The same expectations again, by their ids; those whose file changed are left out. */
export function spotsById(texts: ReadonlyMap<string, string>, ids: readonly string[]): Map<string, SingleSpot> {
  const wanted = new Set(ids);
  const found = placesIn(texts).filter(({ id }) => wanted.has(id));
  return new Map(found.map((place) => [place.id, spotOf(place)]));
}

type Place = { id: string; path: string; text: string; edit: Edit };

function placesIn(texts: ReadonlyMap<string, string>): Place[] {
  return [...texts].flatMap(([path, text]) =>
    falsifyingEdits(path, text).map((edit) => ({ id: `${path}:${edit.from}:${text.length}`, path, text, edit })),
  );
}

function spotOf({ id, path, text, edit }: Place): SingleSpot {
  const inverted = invert(path, text, edit);
  const falsified = disguiseMarks(changed(text, edit));
  return {
    id,
    path,
    text: falsified,
    mark: markOf(text, falsified),
    inverted: inverted === null ? null : changed(text, inverted),
    // The rows of one table are read in one way.
    group: edit.group ?? (languageOf(path) === null && !isShellFile(path, text) ? path : null),
  };
}

function invert(path: string, text: string, edit: Edit): Edit | null {
  if (!edit.isLiteral) return null;
  const language = languageOf(path);
  if (language !== null) return invertAround(openCode(path, text, language), edit);
  return isShellFile(path, text) ? invertShell(text, edit) : null;
}

/** The part in which two texts differ. */
function markOf(before: string, after: string): SingleSpot["mark"] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const endMax = Math.min(before.length, after.length) - start;
  while (end < endMax && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { added: after.slice(start, after.length - end), removed: before.slice(start, before.length - end) };
}

function changed(text: string, edit: Edit): string {
  return text.slice(0, edit.from) + edit.text + text.slice(edit.to);
}
