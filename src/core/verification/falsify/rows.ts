import { argumentsOf, skipToken, splitRange, type Code, type Edit, type Range } from "./code.ts";
import { falsifyExpected } from "./expected.ts";
import { isExpectedColumn, type NamedEdits } from "./named-values.ts";

/** A table of cases in the code: the bracket that opens it, the token that uses it, and the names its columns have there. */
export type Table = { open: number; columns: readonly string[]; usedAt: number };

/** Changes the expected column of every row: the one whose name says so, else the last of at least two. */
export function falsifyTables(code: Code, tables: readonly Table[]): NamedEdits {
  const edits: Edit[] = [];
  const names = new Set<string>();
  const compared = comparedNames(code);
  for (const { open, columns, usedAt } of tables) {
    const named = columns.findIndex(isExpectedColumn);
    const last = columns.at(-1);
    if (named === -1 && last !== undefined && !compared(last, usedAt)) continue;
    for (const row of argumentsOf(code, open)) {
      const cells = cellsOf(code, row);
      const cell = cells[named === -1 ? cells.length - 1 : named];
      const edit = cells.length < 2 || cell === undefined ? null : falsifyExpected(code, valueOf(code, cell));
      if (edit === null) continue;
      edits.push(edit);
      names.add(columns[named === -1 ? cells.length - 1 : named] ?? "");
    }
  }
  return { edits, names };
}

/** Tells whether a name is compared soon after a place: a side of `==`, or an argument of an assertion. Others are inputs. */
function comparedNames(code: Code): (name: string, from: number) => boolean {
  const places = new Set<string>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word") continue;
    const head = code.tokens[index - 1]?.text === "." ? index - 2 : index;
    const [before, after] = [code.tokens[head - 1]?.text ?? "", code.tokens[index + 1]?.text ?? ""];
    const isSide = /^[=!]==?$/.test(before) || /^[=!]==?$/.test(after);
    const isArgument = /^[,(]$/.test(before) && /^[,)]$/.test(after) && isAssertion(code, index);
    if (isSide || isArgument) places.add(`${token.text} ${Math.floor(index / nearbyTokens)}`);
  }
  return (name, from) => {
    const part = Math.floor(from / nearbyTokens);
    return places.has(`${name} ${part}`) || places.has(`${name} ${part + 1}`);
  };
}

/** A loop over a table and its assertion stand in the same part of a file or in two parts side by side. */
const nearbyTokens = 200;

/** Whether the call around an argument is an assertion, by its name. */
function isAssertion(code: Code, index: number): boolean {
  let open = index - 1;
  for (let step = 0; step < argumentTokensMax && open > 0 && code.tokens[open]?.text !== "("; step += 1) {
    const { partner = -1 } = code.tokens[open] ?? {};
    open = partner !== -1 && partner < open ? partner - 1 : open - 1;
  }
  const name = code.tokens[open - 1]?.text ?? "";
  const callee = name === "!" ? (code.tokens[open - 2]?.text ?? "") : name;
  return (
    code.tokens[open]?.text === "(" &&
    /assert|equal|same|^to[A-Z]|^is$|^eq|^like$|^match$|check|expect|should/i.test(callee)
  );
}

const argumentTokensMax = 40;

/** The lists of the file by the name they are assigned to: the bracket that opens each. */
export function namedLists(code: Code): Map<string, number> {
  const lists = new Map<string, number>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word") continue;
    const sign = code.tokens[index + 1]?.text;
    const at = sign === "=" || sign === ":=" ? listOpen(code, index + 2) : -1;
    if (at !== -1) lists.set(token.text, at);
  }
  return lists;
}

/** The bracket of the list that begins at a place, as `[`, `(`, `&[` or `vec![`; -1 when none begins there. */
export function listOpen(code: Code, from: number): number {
  let index = from;
  while (/^(?:&|vec|!|new|Object)$/.test(code.tokens[index]?.text ?? "")) index += 1;
  const token = code.tokens[index];
  return token !== undefined && /^[[({]$/.test(token.text) && token.partner > index ? index : -1;
}

/** The list that begins at a place or is named there. */
export function listAt(code: Code, from: number, lists: ReadonlyMap<string, number>): number {
  const token = code.tokens[from];
  return token?.kind === "word" && lists.has(token.text) ? (lists.get(token.text) ?? -1) : listOpen(code, from);
}

/** The names in a range that are separated by commas, without the brackets around them. */
export function namesIn(code: Code, range: Range): string[] {
  const open = code.tokens[range.from];
  const inner =
    open !== undefined && open.partner === range.to - 1 ? { from: range.from + 1, to: range.to - 1 } : range;
  return splitRange(code, inner, ",").map(
    ({ from }) => code.tokens[code.tokens[from]?.text === "&" ? from + 1 : from]?.text ?? "",
  );
}

/** The cells of a row: what stands in its brackets, or in those of `pytest.param(…)`. */
function cellsOf(code: Code, row: Range): Range[] {
  let open = row.from;
  while (open < row.to && /^(?:\w+|\.|!|&)$/.test(code.tokens[open]?.text ?? "")) open += 1;
  const token = code.tokens[open];
  if (token === undefined || open >= row.to || token.partner <= open) return [];
  if (skipToken(code, open) !== row.to) return [];
  return argumentsOf(code, open).filter(({ from }) => !isOption(code, from));
}

/** `id="x"` and `marks=…` of `pytest.param`. */
function isOption(code: Code, from: number): boolean {
  return code.language === "python" && code.tokens[from]?.kind === "word" && code.tokens[from + 1]?.text === "=";
}

/** The value after the key of an object. */
function valueOf(code: Code, cell: Range): Range {
  return code.tokens[cell.from + 1]?.text === ":" ? { from: cell.from + 2, to: cell.to } : cell;
}
