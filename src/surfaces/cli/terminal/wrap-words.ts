import { displayWidth } from "./display-width.ts";

/** Narrower than this nothing is gained by breaking lines. */
const widthMin = 20;

/**
 * The text as lines of at most `width` cells, broken between words; further lines are indented below the first. A word that is
 * longer gets a line of its own. A width of null breaks nothing: a pipe gets whole lines.
 */
export function wrapWords(text: string, width: number | null): string[] {
  if (width === null || width < widthMin || displayWidth(text) <= width) return [text];
  const words = text.trimStart();
  const margin = text.slice(0, text.length - words.length);
  const indent = `${margin}  `;
  const lines: string[] = [];
  let line = margin;
  let used = margin.length;
  for (const word of words.split(" ")) {
    const size = displayWidth(word);
    const isFirst = line === margin || line === indent;
    if (!isFirst && used + 1 + size > width) {
      lines.push(line.trimEnd());
      line = indent + word;
      used = indent.length + size;
    } else {
      line += isFirst ? word : ` ${word}`;
      used += isFirst ? size : size + 1;
    }
  }
  return [...lines, line];
}
