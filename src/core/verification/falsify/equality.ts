import { replaceRange, type Code, type Edit, type Range } from "./code.ts";
import { falsifyExpected, neverEqual } from "./expected.ts";

/** What the rules of one file share: the code, and the names whose values were made false where they are written. */
export type Subject = { code: Code; names: ReadonlySet<string> };

/**
 * Makes one of two values that must be equal another one: the literal, and of two literals the one that stands where the
 * language expects it. An expected value that is made false elsewhere stays; any other becomes equal to nothing.
 */
export function falsifyEquality({ code, names }: Subject, sides: readonly Range[]): Edit | null {
  for (const side of sides) {
    const edit = falsifyExpected(code, side);
    if (edit !== null) return edit;
  }
  const [expected] = sides;
  const stranger = neverEqual(code);
  if (expected === undefined || stranger === null || sides.some((side) => mentions({ code, names }, side))) return null;
  return replaceRange(code, expected, stranger);
}

/** Whether a range names a value that was made false where it is written, or holds what cannot be replaced. */
export function mentions({ code, names }: Subject, range: Range): boolean {
  for (let index = range.from; index < range.to; index += 1) {
    const token = code.tokens[index];
    if (token?.kind === "opaque" || (token?.kind === "word" && names.has(token.text))) return true;
  }
  return false;
}
