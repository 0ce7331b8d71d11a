import { openCode, type Edit } from "./code.ts";
import { falsifyExpected } from "./expected.ts";
import { isExpectedColumn, isExpectedName } from "./named-values.ts";
import { falsifyTables } from "./rows.ts";

/** Whether a file holds what a program must print: its name or folder says `expected`, `golden` or `want`. */
export function isExpectedFile(path: string): boolean {
  return /(?:^|[/._-])(?:expected|golden|goldens|want)(?:[/._-]|$)/.test(path);
}

/** Changes expected values in data: all of an expected file, else values under keys and columns that are named so. */
export function falsifyData(path: string, text: string): Edit[] {
  if (path.endsWith(".json")) return falsifyJson(path, text);
  if (isExpectedFile(path)) return text.includes("\0") ? [] : [atEnd(text)];
  if (/\.ya?ml$/.test(path)) return falsifyYaml(text);
  return falsifyColumns(path, text);
}

function atEnd(text: string): Edit {
  const end = text.trimEnd().length;
  return { from: end, to: end, text: "-falsified", line: text.slice(0, end).split("\n").length, isLiteral: true };
}

/** JSON is read as a part of JavaScript: the same literals, keys and lists. */
function falsifyJson(path: string, text: string): Edit[] {
  const code = openCode(path, text, "javascript");
  const whole = { from: 0, to: code.tokens.length };
  if (isExpectedFile(path)) return withoutTrailingComma([falsifyExpected(code, whole)]);
  const keyed = code.tokens.flatMap((token, index) => {
    const name = token.kind === "string" ? token.text.slice(1, -1) : "";
    if (!isExpectedName(name) || code.tokens[index + 1]?.text !== ":") return [];
    const value = code.tokens[index + 2];
    const to = value !== undefined && value.partner > index ? value.partner + 1 : index + (value?.text === "-" ? 4 : 3);
    return [falsifyExpected(code, { from: index + 2, to })];
  });
  const rows =
    keyed.length === 0 && code.tokens[0]?.text === "["
      ? falsifyTables(code, [{ open: 0, columns: [], usedAt: 0 }]).edits
      : [];
  const isRows = code.tokens[1]?.text === "[";
  return withoutTrailingComma([...keyed, ...(isRows ? rows : [])]);
}

/** JSON allows no comma after the last element, and no key without quotes. */
function withoutTrailingComma(edits: readonly (Edit | null)[]): Edit[] {
  return edits.flatMap((edit) =>
    edit === null ? [] : [{ ...edit, text: edit.text.replace(/,$/, "").replace(/falsified: 1$/, '"falsified": 1') }],
  );
}

function falsifyYaml(text: string): Edit[] {
  const values = /^([ \t]*(?:- +)?(\w{1,40}):[ \t]+)("[^"\n\\]*"|'[^'\n]*'|[\w.-]+)[ \t]*$/gm;
  let line = 1;
  let counted = 0;
  return Array.from(text.matchAll(values)).flatMap((match) => {
    const [, head = "", name = "", value = ""] = match;
    if (!isExpectedName(name)) return [];
    const from = match.index + head.length;
    line += text.slice(counted, from).split("\n").length - 1;
    counted = from;
    return [{ from, to: from + value.length, text: otherCell(value, from), line, isLiteral: true }];
  });
}

/** Tables with a header: CSV, TSV, `a|b|expected`, examples of Gherkin. A line without the separator ends a table. */
function falsifyColumns(path: string, text: string): Edit[] {
  const edits: Edit[] = [];
  let column = -1;
  let separator = "";
  let from = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const cells = separator === "" ? [] : cellsOf(line, separator);
    if (column === -1 || cells.length <= column) {
      separator = separatorOf(path, line);
      column =
        separator === "" ? -1 : cellsOf(line, separator).findIndex(({ text: cell }) => isExpectedColumn(plain(cell)));
    } else {
      const cell = cells[column];
      const isRule = /^[\s:|+-]*$/.test(line);
      if (cell !== undefined && !isRule)
        edits.push({
          from: from + cell.from,
          to: from + cell.to,
          text: otherCell(cell.text, from),
          line: index + 1,
          isLiteral: true,
        });
    }
    from += line.length + 1;
  }
  return edits;
}

function plain(cell: string): string {
  return cell.replaceAll(/["']/g, "").trim();
}

function separatorOf(path: string, line: string): string {
  if (line.includes("|")) return "|";
  if (path.endsWith(".tsv") || line.includes("\t")) return line.includes("\t") ? "\t" : "";
  if (!path.endsWith(".csv")) return "";
  return line.includes(";") ? ";" : ",";
}

/** The cells of a line without the space around them; a separator in double quotes does not count. */
function cellsOf(line: string, separator: string): { from: number; to: number; text: string }[] {
  const cells: { from: number; to: number; text: string }[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== separator)) continue;
    const raw = line.slice(from, at);
    const start = from + raw.length - raw.trimStart().length;
    const text = raw.trim();
    cells.push({ from: start, to: start + text.length, text });
    from = at + 1;
  }
  return cells;
}

function otherCell(cell: string, salt: number): string {
  if (/^-?\d{1,15}(?:\.\d+)?$/.test(cell)) return String(Number(cell) + 1_000_003 + (salt % 97));
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === "true" ? "false" : "true";
  const end = /["']$/.test(cell) ? cell.length - 1 : cell.length;
  return `${cell.slice(0, end)}-falsified${cell.slice(end)}`;
}
