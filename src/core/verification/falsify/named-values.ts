import { statementEnd, stepsMax, type Code, type Edit, type Range } from "./code.ts";
import { falsifyExpected } from "./expected.ts";

/** Changes of expected values that have a name, with these names: assertions on them stay as they are. */
export type NamedEdits = { edits: Edit[]; names: Set<string> };

/** Changes what is assigned to `expected`, `want` and the like, and what stands under such a key of a table. */
export function falsifyNamedValues(code: Code): NamedEdits {
  const edits: Edit[] = [];
  const names = new Set<string>();
  for (const [index, token] of code.tokens.entries()) {
    const name = token.kind === "string" ? token.text.slice(1, -1) : token.text;
    if ((token.kind !== "word" && token.kind !== "string") || !isExpectedName(name)) continue;
    const value = valueAfter(code, index);
    const edit = value === null ? null : falsifyExpected(code, value);
    if (edit === null) continue;
    edits.push(edit);
    names.add(name);
  }
  return { edits, names };
}

/** Whether a name says that its value is what a test expects. */
export function isExpectedName(name: string): boolean {
  return (
    name.length < 40 &&
    /^(?:expected|expect|want|wanted|exp)(?:[A-Z_].*)?$|(?:Expected|_expected|Want|_want)$/.test(name)
  );
}

/** Whether a column or key of a table of cases is the expected one; in such a table more names say so. */
export function isExpectedColumn(name: string): boolean {
  return isExpectedName(name) || /^(?:out|output|result|answer)$/i.test(name);
}

function valueAfter(code: Code, index: number): Range | null {
  const { tokens } = code;
  const sign = tokens[index + 1]?.text;
  const isKey = sign === ":" && /^[{,([]$/.test(tokens[index - 1]?.text ?? "");
  if (isKey || (isOfTable(code, index) && sign === ":")) return { from: index + 2, to: elementEnd(code, index + 2) };
  if (tokens[index]?.kind === "string") return null;
  if (sign === "=" || sign === ":=") {
    const to = statementEnd(code, index + 2);
    const isParameter = /^[),]$/.test(tokens[to]?.text ?? "") || elementEnd(code, index + 2) < to;
    return isParameter && tokens[index - 1]?.text !== "."
      ? null
      : { from: index + 2, to: elementEnd(code, index + 2, to) };
  }
  return sign === ":" && isDeclaration(tokens[index - 1]?.text ?? "") ? typedValue(code, index + 2) : null;
}

function isDeclaration(word: string): boolean {
  return /^(?:const|let|var|val|mut)$/.test(word);
}

/** `const expected: Type = …` */
function typedValue(code: Code, from: number): Range | null {
  const end = statementEnd(code, from);
  for (let index = from; index < end; index += 1)
    if (code.tokens[index]?.text === "=") return { from: index + 1, to: statementEnd(code, index + 1) };
  return null;
}

/** A key on its own line follows a comma or a bracket of the line before; comments do not count. */
function isOfTable(code: Code, index: number): boolean {
  return /^[{,]$/.test(code.tokens[index - 1]?.text ?? "");
}

function elementEnd(code: Code, from: number, limit = code.tokens.length): number {
  let index = from;
  for (let step = 0; step < stepsMax && index < limit; step += 1) {
    const token = code.tokens[index];
    if (token === undefined || /^(?:,|;|\)|\]|\})$/.test(token.text)) return index;
    index = token.partner > index ? token.partner + 1 : index + 1;
    if (index > from && isNextLine(code, index)) return index;
  }
  return Math.min(index, limit);
}

function isNextLine(code: Code, index: number): boolean {
  const [before, token] = [code.tokens[index - 1], code.tokens[index]];
  if (before === undefined || token === undefined || token.line <= before.line) return false;
  return before.kind !== "symbol" || /^[)\]}]$/.test(before.text) ? statementEnd(code, index - 1) === index : false;
}
