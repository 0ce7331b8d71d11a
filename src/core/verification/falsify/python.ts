import {
  argumentsOf,
  collectEdits,
  lastLine,
  replaceRange,
  skipToken,
  splitRange,
  statementEnd,
  type Code,
  type Edit,
  type Range,
} from "./code.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { falsifyEquality, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";
import { plainText, type TestBlock } from "./blocks.ts";
import { listAt, namedLists, namesIn, type Table } from "./rows.ts";

/** Makes the assertions of a Python test false: `assert`, unittest, pytest, mocks, numpy. */
export function falsifyPython(subject: Subject): Edit[] {
  const { code } = subject;
  return collectEdits(code, (index) => {
    const token = code.tokens[index];
    if (token?.text === "assert" && isStatement(code, index)) {
      const to = statementEnd(code, index + 1);
      return { edit: falsifyAssert(subject, { from: index + 1, to }), to };
    }
    const edit = token?.kind === "word" && code.tokens[index + 1]?.text === "(" ? falsifyCall(subject, index) : null;
    return edit === null ? null : { edit, to: skipToken(code, index + 1) };
  });
}

/** `assert condition, message`; of a comparison with a value that is false elsewhere nothing is changed. */
function falsifyAssert(subject: Subject, range: Range): Edit | null {
  const [condition] = splitRange(subject.code, range, ",");
  if (condition === undefined) return null;
  const edit = makeFalse(subject.code, condition);
  return edit === null || edit.isLiteral || !namesFalse(subject, condition) ? edit : null;
}

/** Whether a condition names a value that was made false: then it is false already. */
function namesFalse({ code, names }: Subject, range: Range): boolean {
  for (let index = range.from; index < range.to; index += 1) if (names.has(code.tokens[index]?.text ?? "")) return true;
  return false;
}

function falsifyCall(subject: Subject, index: number): Edit | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  if (!/^(?:assert|raises$|failUnless|fail_unless)/.test(name) || code.tokens[index - 1]?.text === "def") return null;
  const given = argumentsOf(code, index + 1).filter(({ from }) => code.tokens[from + 1]?.text !== "=");
  const [first, second] = given;
  const opposite = opposites.get(name);
  if (opposite !== undefined) return replaceRange(code, { from: index, to: index + 1 }, opposite);
  if (first === undefined) return null;
  if (/^(?:raises|assertRaises|assertRaisesRegex|assertWarns)$/.test(name)) return falsifyRaises(code, first);
  if (name === "assertTrue" || name === "assert_") return makeFalse(code, first);
  if (name === "assertFalse") return makeTrue(code, first);
  if (/_with$|_any_call$|_has_calls$/.test(name)) return lastOf(code, argumentsOf(code, index + 1));
  if (second === undefined) return null;
  if (name === "assertIn") return stringOnly(code, first) ?? rename(code, index, "assertNotIn");
  if (name === "assertRegex") return replaceRange(code, second, '"(?!)"');
  const isEquality = /^assert\w*?(?:Equals?|Is|_equal|_allclose|_close|_identical|almost_equal)$/i.test(name);
  return isEquality ? falsifyEquality(subject, [second, first]) : null;
}

function lastOf(code: Code, given: readonly Range[]): Edit | null {
  for (const range of given.toReversed()) {
    const isNamed = code.tokens[range.from + 1]?.text === "=";
    const edit = falsifyExpected(code, isNamed ? { from: range.from + 2, to: range.to } : range);
    if (edit !== null) return edit;
  }
  return null;
}

function stringOnly(code: Code, range: Range): Edit | null {
  return code.tokens[range.from]?.kind === "string" ? falsifyExpected(code, range) : null;
}

function rename(code: Code, index: number, name: string): Edit {
  return replaceRange(code, { from: index, to: index + 1 }, name);
}

/** Another error than the expected one, which no code raises by itself. */
function falsifyRaises(code: Code, expected: Range): Edit {
  const isSame = code.tokens[expected.from]?.text === "BufferError";
  return replaceRange(code, expected, isSame ? "SystemError" : "BufferError");
}

const opposites = new Map([
  ["assertNotEqual", "assertEqual"],
  ["assertNotEquals", "assertEqual"],
  ["assertNotAlmostEqual", "assertAlmostEqual"],
  ["assertIsNot", "assertIs"],
  ["assertNotIn", "assertIn"],
  ["assertIsNone", "assertIsNotNone"],
  ["assertIsNotNone", "assertIsNone"],
  ["assertIsInstance", "assertNotIsInstance"],
  ["assertNotIsInstance", "assertIsInstance"],
  ["assertGreater", "assertLessEqual"],
  ["assertGreaterEqual", "assertLess"],
  ["assertLess", "assertGreaterEqual"],
  ["assertLessEqual", "assertGreater"],
  ["assertNotRegex", "assertRegex"],
  ["assert_called", "assert_not_called"],
  ["assert_called_once", "assert_not_called"],
  ["assert_not_called", "assert_called"],
]);

/** Tables of cases in Python: `parametrize`, `parameterized.expand`, `for a, want in cases`. */
export function pythonTables(code: Code): Table[] {
  const lists = namedLists(code);
  return code.tokens.flatMap((token, index) => {
    const table = token.text === "for" ? loopTable(code, index, lists) : parametrised(code, index, lists);
    return table === null || table.open === -1 ? [] : [table];
  });
}

function loopTable(code: Code, index: number, lists: ReadonlyMap<string, number>): Table | null {
  if (!isStatement(code, index)) return null;
  let at = index + 1;
  while (code.tokens[at]?.text !== "in" && code.tokens[at]?.line === code.tokens[index]?.line) at = skipToken(code, at);
  if (code.tokens[at]?.text !== "in") return null;
  const columns = namesIn(code, { from: index + 1, to: at });
  return columns.length < 2 ? null : { open: listAt(code, at + 1, lists), columns, usedAt: index };
}

function parametrised(code: Code, index: number, lists: ReadonlyMap<string, number>): Table | null {
  const name = code.tokens[index]?.text;
  if (code.tokens[index - 1]?.text !== "." || code.tokens[index + 1]?.text !== "(") return null;
  const [first, second] = argumentsOf(code, index + 1);
  if (name === "expand" && first !== undefined)
    return { open: listAt(code, first.from, lists), columns: [], usedAt: index };
  if (name !== "parametrize" || first === undefined || second === undefined) return null;
  const names = code.tokens.slice(first.from, first.to).filter(({ kind }) => kind === "string");
  const columns = names.flatMap(({ text }) => plainText(text).split(",")).map((column) => column.trim());
  const from = code.tokens[second.from + 1]?.text === "=" ? second.from + 2 : second.from;
  return columns.length < 2 ? null : { open: listAt(code, from, lists), columns, usedAt: index };
}

/** The test functions and methods of a file, each with its decorators; classes are their suites. */
export function pythonBlocks(code: Code): TestBlock[] {
  const blocks: TestBlock[] = [];
  const open: { name: string; column: number; block: TestBlock | null }[] = [];
  let decorator = -1;
  let last = 0;
  for (let index = 0; index < code.tokens.length; index = skipToken(code, index)) {
    const token = code.tokens[index];
    if (token === undefined) continue;
    const isFirst = isStatement(code, index);
    const column = isFirst ? columnOf(code, index) : 0;
    if (isFirst) {
      while (open.length > 0 && column <= (open.at(-1)?.column ?? 0)) close(open.pop()?.block ?? null, last);
      if (token.text.startsWith("@")) decorator = decorator === -1 ? token.line : decorator;
    }
    const at = isFirst && token.text === "async" ? index + 1 : index;
    const keyword = isFirst ? code.tokens[at]?.text : "";
    if (keyword === "def" || keyword === "class") {
      const name = code.tokens[at + 1]?.text ?? "";
      const isTest = keyword === "def" && name.startsWith("test");
      const suites = open.map((each) => each.name);
      const block = isTest
        ? { name, suites, fromLine: decorator === -1 ? token.line : decorator, toLine: token.line }
        : null;
      if (block !== null) blocks.push(block);
      open.push({ name, column, block });
      decorator = -1;
    }
    last = lastLine(code.tokens[skipToken(code, index) - 1] ?? token);
  }
  for (const each of open) close(each.block, last);
  return blocks;
}

function close(block: TestBlock | null, line: number): void {
  if (block !== null) block.toLine = Math.max(block.fromLine, line);
}

/** Whether a token is the first of a line, or follows a colon or semicolon. */
function isStatement(code: Code, index: number): boolean {
  const [before, token] = [code.tokens[index - 1], code.tokens[index]];
  return before === undefined || before.text === ";" || before.text === ":" || lastLine(before) < (token?.line ?? 0);
}

/** The column of the first token of a line; of one that follows another on its line a large one. */
function columnOf(code: Code, index: number): number {
  const [before, token] = [code.tokens[index - 1], code.tokens[index]];
  if (token === undefined || (before !== undefined && lastLine(before) === token.line)) return Number.MAX_SAFE_INTEGER;
  return token.from - code.text.lastIndexOf("\n", token.from) - 1;
}
