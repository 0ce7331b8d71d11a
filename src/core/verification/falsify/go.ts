import {
  argumentsOf,
  collectEdits,
  outerTokens,
  replaceRange,
  skipToken,
  splitRange,
  textOf,
  type Code,
  type Edit,
  type Found,
  type Range,
} from "./code.ts";
import { plainText, type TestBlock } from "./blocks.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { falsifyEquality, mentions, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";
import type { Table } from "./rows.ts";

/** Makes the assertions of a Go test false: `if got != want { t.Errorf(…) }` and testify. */
export function falsifyGo(subject: Subject): Edit[] {
  const { code } = subject;
  return collectEdits(code, (index) => {
    if (code.tokens[index]?.text === "if") return findFailingIf(subject, index);
    const edit = findTestify(subject, index);
    return edit === null ? null : { edit, to: skipToken(code, index + 3) };
  });
}

/** An `if` whose body fails the test: its condition is made true. */
function findFailingIf(subject: Subject, index: number): Found | null {
  const { code } = subject;
  let open = index + 1;
  while (open < index + headMax && code.tokens[open]?.text !== "{") open = skipToken(code, open);
  const close = code.tokens[open]?.partner ?? -1;
  if (close <= open || !failsIn(code, { from: open + 1, to: close })) return null;
  const condition = splitRange(code, { from: index + 1, to: open }, ";").at(-1);
  if (condition === undefined) return null;
  const edit = makeTrue(code, condition);
  return { edit: edit === null || edit.isLiteral || !mentions(subject, condition) ? edit : null, to: open };
}

/** No condition of people has more tokens; so a file of `if` alone is read in linear time. */
const headMax = 300;

function failsIn(code: Code, body: Range): boolean {
  return outerTokens(code, body).some(
    ({ token, index }) =>
      /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(token.text) &&
      code.tokens[index - 1]?.text === "." &&
      /^(?:t|tb|b|tt|c|s)$/.test(code.tokens[index - 2]?.text ?? ""),
  );
}

/** `assert.Equal(t, 3, got)`; with `assert := assert.New(t)` the test is not named in the call. */
function findTestify(subject: Subject, index: number): Edit | null {
  const { code } = subject;
  const head = code.tokens[index]?.text ?? "";
  if (
    !/^(?:assert|require|is)$/.test(head) ||
    code.tokens[index + 1]?.text !== "." ||
    code.tokens[index + 3]?.text !== "("
  )
    return null;
  const name = (code.tokens[index + 2]?.text ?? "").replace(/f$/, "");
  const all = argumentsOf(code, index + 3);
  const given = /^(?:t|tb|s\.T\(\)|c|tt)$/.test(all[0] === undefined ? "" : textOf(code, all[0])) ? all.slice(1) : all;
  const [first, second] = given;
  const opposite = opposites.get(name);
  if (opposite !== undefined) return replaceRange(code, { from: index + 2, to: index + 3 }, opposite);
  if (first === undefined) return null;
  if (name === "True") return makeFalse(code, first);
  if (name === "False") return makeTrue(code, first);
  if (second === undefined) return null;
  if (name === "Contains" || name === "Len" || name === "EqualError" || name === "ErrorContains")
    return falsifyExpected(code, second);
  if (name === "Regexp") return replaceRange(code, first, "`[^\\x00-\\x{10FFFF}]`");
  if (!/^(?:Equal|EqualValues|Exactly|ElementsMatch|InDelta|InEpsilon|JSONEq|Same)$/.test(name)) return null;
  const edit = falsifyEquality(subject, [first, second]);
  if (edit !== null || mentions(subject, first) || mentions(subject, second)) return edit;
  return replaceRange(code, first, `[]interface{}{${textOf(code, first)}}`);
}

const opposites = new Map([
  ["NotEqual", "Equal"],
  ["Nil", "NotNil"],
  ["NotNil", "Nil"],
  ["NoError", "Error"],
  ["Error", "NoError"],
  ["Empty", "NotEmpty"],
  ["NotEmpty", "Empty"],
  ["NotContains", "Contains"],
  ["Panics", "NotPanics"],
  ["NotPanics", "Panics"],
]);

/** Tables of cases without keys: `[]struct { in, want int }{ {1, 2} }`, by the names of the fields. */
export function goTables(code: Code): Table[] {
  return code.tokens.flatMap((token, index) => {
    if (token.text !== "struct" || code.tokens[index + 1]?.text !== "{") return [];
    const fields = code.tokens[index + 1]?.partner ?? -1;
    const open = fields + 1;
    if (fields === -1 || code.tokens[open]?.text !== "{" || isKeyed(code, open)) return [];
    return [
      { open, columns: fieldNames(code, { from: index + 2, to: fields }), usedAt: code.tokens[open]?.partner ?? index },
    ];
  });
}

/** Rows with keys are found by their keys. */
function isKeyed(code: Code, open: number): boolean {
  return code.tokens[open + 1]?.text === "{" && code.tokens[open + 3]?.text === ":";
}

function fieldNames(code: Code, range: Range): string[] {
  const names: string[] = [];
  let line = -1;
  for (let index = range.from; index < range.to; index = skipToken(code, index)) {
    const token = code.tokens[index];
    if (
      token === undefined ||
      (token.line === line && code.tokens[index - 1]?.text !== "," && code.tokens[index - 1]?.text !== ";")
    )
      continue;
    if (token.kind === "word") names.push(token.text);
    line = token.line;
  }
  return names;
}

/** `func TestX(t *testing.T)`, and its `t.Run("name", …)` as Go reports them: `TestX/name`. */
export function goBlocks(code: Code): TestBlock[] {
  const blocks: TestBlock[] = [];
  const open: { name: string; to: number }[] = [];
  for (const [index, token] of code.tokens.entries()) {
    while ((open.at(-1)?.to ?? Infinity) <= index) open.pop();
    const name = token.text === "func" ? testName(code, index) : null;
    const run = token.text === "Run" && code.tokens[index - 1]?.text === "." ? runName(code, index) : null;
    if (name === null && run === null) continue;
    const to = name === null ? skipToken(code, index + 1) : bodyEnd(code, index);
    const outer = open.at(-1)?.name;
    const full = name ?? (outer === undefined ? (run ?? "") : `${outer}/${run ?? ""}`);
    open.push({ name: full, to });
    blocks.push({ name: full, suites: [], fromLine: token.line, toLine: code.tokens[to - 1]?.line ?? token.line });
  }
  return blocks;
}

function testName(code: Code, index: number): string | null {
  const method = code.tokens[index + 1]?.text === "(" ? skipToken(code, index + 1) : index + 1;
  const name = code.tokens[method]?.text ?? "";
  return /^(?:Test|Fuzz|Example)/.test(name) ? name : null;
}

function runName(code: Code, index: number): string | null {
  const [title] = argumentsOf(code, index + 1);
  const token = title === undefined || title.to - title.from !== 1 ? undefined : code.tokens[title.from];
  return token?.kind === "string" ? plainText(token.text).replaceAll(/\s/g, "_") : null;
}

function bodyEnd(code: Code, from: number): number {
  let index = from;
  while (index < code.tokens.length && code.tokens[index]?.text !== "{") index = skipToken(code, index);
  return skipToken(code, index);
}
