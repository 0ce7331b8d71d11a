import { argumentsOf, skipToken, type Code, type Edit } from "./code.ts";
import { extendString } from "./literals.ts";
import { listAt, namedLists, namesIn, type Table } from "./rows.ts";

/** Tables of cases in JavaScript: `it.each([…])`, `for (const [a, b] of cases)`, `cases.forEach(([a, b]) => …)`. */
export function javaScriptTables(code: Code): Table[] {
  const lists = namedLists(code);
  const tables: Table[] = [];
  for (const [index, token] of code.tokens.entries()) {
    const found =
      token.text === "for" && code.tokens[index - 1]?.text !== "."
        ? loopTable(code, index, lists)
        : callTable(code, index, lists);
    if (found !== null && found.open !== -1) tables.push(found);
  }
  return tables;
}

/** The rows of a tagged table, ``it.each`a | expected ${1} | ${2}` ``: the last value of each line. */
export function falsifyTemplateTables(code: Code): Edit[] {
  return code.tokens.flatMap((token, index) => {
    if (token.kind !== "string" || !token.text.startsWith("`") || code.tokens[index - 1]?.text !== "each") return [];
    return templateRows(token.text).map(({ from, to, text }, row) => ({
      from: token.from + from,
      to: token.from + to,
      text: text(code.seed + row),
      line: token.line + row + 1,
      isLiteral: true,
    }));
  });
}

function templateRows(template: string): { from: number; to: number; text: (salt: number) => string }[] {
  const cells = /\$\{\s*(-?\d+(?:\.\d+)?|true|false|null|(["'])[^"'\n\\$]*\2)\s*\}(?=[^\S\n]*(?:\n|`$))/g;
  return Array.from(template.matchAll(cells), (match) => {
    const value = match[1] ?? "";
    const from = match.index + match[0].indexOf(value, 2);
    return { from, to: from + value.length, text: (salt: number) => otherCell(value, salt) };
  });
}

function otherCell(value: string, salt: number): string {
  if (/^["']/.test(value)) return extendString({ text: value, tail: 1 }, salt);
  if (value === "true") return "false";
  return value === "false" ? "true" : String((Number(value) || 0) + 1_000_003.5 + salt);
}

function loopTable(code: Code, index: number, lists: ReadonlyMap<string, number>): Table | null {
  const open = code.tokens[index + 1]?.text === "(" ? index + 1 : index + 2;
  const pattern = open + 2;
  if (!/^[[{]$/.test(code.tokens[pattern]?.text ?? "") || (code.tokens[pattern]?.partner ?? -1) < pattern) return null;
  const of = skipToken(code, pattern);
  if (code.tokens[of]?.text !== "of") return null;
  return { open: listAt(code, of + 1, lists), usedAt: index, columns: namesIn(code, { from: pattern, to: of }) };
}

function callTable(code: Code, index: number, lists: ReadonlyMap<string, number>): Table | null {
  const token = code.tokens[index];
  if (token === undefined || code.tokens[index - 1]?.text !== "." || code.tokens[index + 1]?.text !== "(") return null;
  const after = skipToken(code, index + 1);
  if (/^(?:each|for)$/.test(token.text)) {
    const [, callback] = code.tokens[after]?.text === "(" ? argumentsOf(code, after) : [];
    return {
      open: listAt(code, index + 2, lists),
      usedAt: index,
      columns: parameters(code, callback?.from ?? -1, token.text === "for"),
    };
  }
  if (token.text !== "forEach") return null;
  const before = code.tokens[index - 2];
  const open = before?.text === "]" ? before.partner : listAt(code, index - 2, lists);
  return { open, usedAt: index, columns: parameters(code, index + 2, true) };
}

/** The parameters of a function; with `isNested` those that its first one is taken apart into. */
function parameters(code: Code, from: number, isNested: boolean): string[] {
  let open = from;
  while (/^(?:async|function|\w+)$/.test(code.tokens[open]?.text ?? "")) open += 1;
  const token = code.tokens[open];
  if (token === undefined || token.partner <= open) return [];
  if (isNested && /^[[{]$/.test(code.tokens[open + 1]?.text ?? "")) return parameters(code, open + 1, false);
  return namesIn(code, { from: open, to: token.partner + 1 });
}
