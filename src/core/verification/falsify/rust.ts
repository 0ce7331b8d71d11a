import {
  argumentsOf,
  collectEdits,
  insertBefore,
  replaceRange,
  skipToken,
  textOf,
  type Code,
  type Edit,
} from "./code.ts";
import { plainText, type TestBlock } from "./blocks.ts";
import { makeFalse } from "./condition.ts";
import { falsifyEquality, mentions, type Subject } from "./equality.ts";
import { falsifyLiteral } from "./literals.ts";
import { listAt, namedLists, namesIn, type Table } from "./rows.ts";

/** Makes the assertions of a Rust test false: `assert!`, `assert_eq!`, `assert_ne!`, `#[should_panic]`. */
export function falsifyRust(subject: Subject): Edit[] {
  const { code } = subject;
  return collectEdits(code, (index) => {
    if (code.tokens[index]?.text === "should_panic") return { edit: falsifyPanic(code, index), to: index + 1 };
    const isMacro = code.tokens[index + 1]?.text === "!" && /^[([{]$/.test(code.tokens[index + 2]?.text ?? "");
    const edit = isMacro ? falsifyMacro(subject, index) : null;
    return edit === null ? null : { edit, to: skipToken(code, index + 2) };
  });
}

function falsifyMacro(subject: Subject, index: number): Edit | null {
  const { code } = subject;
  const name = (code.tokens[index]?.text ?? "").replace(/^debug_/, "");
  const [first, second] = argumentsOf(code, index + 2);
  if (first === undefined) return null;
  if (name === "assert") return makeFalse(code, first);
  if (second === undefined) return null;
  if (name === "assert_ne") return replaceRange(code, { from: index, to: index + 1 }, "assert_eq");
  if (name !== "assert_eq") return null;
  const edit = falsifyEquality(subject, [second, first]);
  if (edit !== null || mentions(subject, first) || mentions(subject, second)) return edit;
  const condition = `assert!(${textOf(code, first)} == ${textOf(code, second)} && false`;
  return replaceRange(code, { from: index, to: second.to }, condition);
}

/** The panic must have a text that none has. */
function falsifyPanic(code: Code, index: number): Edit | null {
  const after = code.tokens[index + 1];
  if (code.tokens[index - 1]?.text !== "[" || after === undefined) return null;
  if (after.text === "]") return insertBefore(after, '(expected = "falsified")');
  const close = after.partner;
  return close > index && code.tokens[close - 1]?.kind === "string" ? falsifyLiteral(code, close - 1) : null;
}

/** Tables of cases in Rust: `for (given, want) in [(1, 2)]`, and `#[case(1, 2)]` of rstest. */
export function rustTables(code: Code): Table[] {
  const lists = namedLists(code);
  return code.tokens.flatMap((token, index) => {
    if (token.text !== "for" || code.tokens[index + 1]?.text !== "(") return [];
    const end = skipToken(code, index + 1);
    if (code.tokens[end]?.text !== "in") return [];
    const from = code.tokens[end + 1]?.text === "&" ? end + 2 : end + 1;
    const open = listAt(code, from, lists);
    return open === -1 ? [] : [{ open, columns: namesIn(code, { from: index + 1, to: end }), usedAt: index }];
  });
}

/** Functions under `#[test]` or another attribute that ends in `test`; modules are their suites. */
export function rustBlocks(code: Code): TestBlock[] {
  const blocks: TestBlock[] = [];
  const modules: { name: string; to: number }[] = [];
  let attribute = -1;
  let isTest = false;
  for (let index = 0; index < code.tokens.length; index += 1) {
    const token = code.tokens[index];
    if (token === undefined) continue;
    while ((modules.at(-1)?.to ?? Infinity) <= index) modules.pop();
    if (token.text === "#" && code.tokens[index + 1]?.text === "[") {
      attribute = attribute === -1 ? token.line : attribute;
      isTest ||= isTestAttribute(code, index + 1);
      index = skipToken(code, index + 1) - 1;
    } else if (token.text === "mod" && code.tokens[index + 2]?.text === "{") {
      modules.push({ name: code.tokens[index + 1]?.text ?? "", to: skipToken(code, index + 2) });
      attribute = -1;
    } else if (token.text === "fn") {
      const name = plainText(code.tokens[index + 1]?.text ?? "");
      const to = bodyEnd(code, index);
      const suites = modules.map((each) => each.name);
      if (isTest) blocks.push({ name, suites, fromLine: attribute, toLine: code.tokens[to - 1]?.line ?? token.line });
      attribute = -1;
      isTest = false;
    }
  }
  return blocks;
}

function isTestAttribute(code: Code, open: number): boolean {
  const close = code.tokens[open]?.partner ?? -1;
  const end = code.tokens[close - 1]?.text === ")" ? (code.tokens[close - 1]?.partner ?? close) : close;
  return /^(?:test|rstest|test_case|case|wasm_bindgen_test)$/.test(code.tokens[end - 1]?.text ?? "");
}

function bodyEnd(code: Code, from: number): number {
  let index = from;
  while (index < code.tokens.length && !/^[{;]$/.test(code.tokens[index]?.text ?? "")) index = skipToken(code, index);
  return skipToken(code, index);
}
