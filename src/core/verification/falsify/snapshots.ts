import type { TestBlock } from "./blocks.ts";
import type { Edit } from "./code.ts";

/** Changes every value of a snapshot file: of jest, vitest and node (`exports[…]`), and of insta (one value). */
export function falsifySnapshots(text: string): { edits: Edit[]; blocks: TestBlock[] } {
  const edits: Edit[] = [];
  const blocks: TestBlock[] = [];
  const start = /^exports\[`((?:[^`\\]|\\[^])*)`\] = `/gm;
  let line = 1;
  let counted = 0;
  for (let entry = start.exec(text); entry !== null; entry = start.exec(text)) {
    const end = templateEnd(text, start.lastIndex);
    if (end === -1) break;
    line += countLines(text, counted, entry.index);
    counted = entry.index;
    const name = (entry[1] ?? "").replaceAll(/\\(.)/g, "$1").replace(/ \d+$/, "");
    edits.push({ from: end, to: end, text: `-falsified${end}`, line, isLiteral: true });
    blocks.push({ name, suites: [], fromLine: line, toLine: line + countLines(text, entry.index, end) });
    start.lastIndex = end;
  }
  if (edits.length > 0 || !text.startsWith("---")) return { edits, blocks };
  const end = text.trimEnd().length;
  const last = 1 + countLines(text, 0, end);
  return { edits: [{ from: end, to: end, text: "-falsified", line: last, isLiteral: true }], blocks: [] };
}

function templateEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "`") at += text[at] === "\\" ? 2 : 1;
  return at < text.length ? at : -1;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text[at] === "\n") count += 1;
  return count;
}
