import {
  argumentsOf,
  collectEdits,
  replaceRange,
  skipToken,
  splitRange,
  statementEnd,
  type Code,
  type Edit,
  type Found,
  type Range,
} from "./code.ts";
import { plainText, type TestBlock } from "./blocks.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { falsifyEquality, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";

/** Makes the assertions of a Ruby test false: minitest, test-unit and RSpec, with or without brackets. */
export function falsifyRuby(subject: Subject): Edit[] {
  const { code } = subject;
  return collectEdits(code, (index) => {
    const token = code.tokens[index];
    if (token?.kind !== "word") return null;
    if (/^(?:to|not_to|to_not)$/.test(token.text) && code.tokens[index - 1]?.text === ".")
      return findMatcher(subject, index);
    if (/^(?:assert|refute)(?:_|$)/.test(token.text) && code.tokens[index - 1]?.text !== "def")
      return findAssert(subject, index);
    return null;
  });
}

/** The arguments of a call with or without brackets, and the index after them. */
function callArguments(code: Code, index: number): { given: Range[]; to: number } {
  const isInBrackets = code.tokens[index + 1]?.text === "(" && code.tokens[index + 1]?.from === code.tokens[index]?.to;
  if (isInBrackets) return { given: argumentsOf(code, index + 1), to: skipToken(code, index + 1) };
  let to = statementEnd(code, index + 1);
  for (let at = index + 1; at < to; at = skipToken(code, at)) {
    const text = code.tokens[at]?.text ?? "";
    if (/^(?:do|if|unless|and|or|rescue)$/.test(text) || (text === "{" && at === index + 1)) to = at;
  }
  return { given: splitRange(code, { from: index + 1, to }, ","), to };
}

function findAssert(subject: Subject, index: number): Found | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  const { given, to } = callArguments(code, index);
  const [first, second] = given;
  if (first === undefined) return null;
  return { edit: falsifyAssert(subject, index, { name, first, second }), to };
}

type Call = { name: string; first: Range; second: Range | undefined };

function falsifyAssert(subject: Subject, index: number, { name, first, second }: Call): Edit | null {
  const { code } = subject;
  const opposite = opposites.get(name);
  if (opposite !== undefined) return replaceRange(code, { from: index, to: index + 1 }, opposite);
  if (name === "assert") return makeFalse(code, first);
  if (name === "refute") return makeTrue(code, first);
  if (/^assert_raises?$/.test(name)) return replaceRange(code, first, "NoMemoryError");
  if (second === undefined) return null;
  if (name === "assert_match") return falsifyExpected(code, first) ?? replaceRange(code, first, "/(?!)/");
  if (name === "assert_includes") return falsifyExpected(code, second);
  return /^assert_(?:equal|same|in_delta|in_epsilon)$/.test(name) ? falsifyEquality(subject, [first, second]) : null;
}

const opposites = new Map([
  ["assert_nil", "refute_nil"],
  ["refute_nil", "assert_nil"],
  ["assert_empty", "refute_empty"],
  ["refute_empty", "assert_empty"],
  ["refute_equal", "assert_equal"],
  ["assert_not_equal", "assert_equal"],
  ["assert_not_nil", "assert_nil"],
  ["refute_includes", "assert_includes"],
  ["refute_match", "assert_match"],
]);

/** RSpec: `expect(x).to eq(3)`, `.to be_truthy`, `.to raise_error(X)`. */
function findMatcher(subject: Subject, index: number): Found | null {
  const { code } = subject;
  const at = index + 1;
  const matcher = code.tokens[at];
  if (matcher?.kind !== "word") return null;
  if (code.tokens[index]?.text !== "to") return { edit: replaceRange(code, { from: index, to: at }, "to"), to: at + 1 };
  const negation = { edit: replaceRange(code, { from: index, to: at }, "not_to"), to: at + 1 };
  const { given, to } = callArguments(code, at);
  const [expected] = given;
  if (expected === undefined) return negation;
  if (matcher.text === "raise_error") return { edit: replaceRange(code, expected, "NoMemoryError"), to };
  if (
    !/^(?:eq|eql|equal|be|match_array|contain_exactly|include|start_with|end_with|match|be_within)$/.test(matcher.text)
  )
    return negation;
  const isOrder = /^[<>]/.test(code.tokens[expected.from]?.text ?? "");
  return isOrder ? negation : { edit: falsifyEquality(subject, [expected]) ?? null, to };
}

/** `test "…" do`, `it "…" do`, `def test_x`: to the line on which the `end` of its indentation stands. */
export function rubyBlocks(code: Code): TestBlock[] {
  const lines = code.text.split("\n");
  const blocks: TestBlock[] = [];
  const suites: { name: string; indent: number }[] = [];
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word" || !isFirstOfLine(code, index)) continue;
    const indent = indentOf(lines[token.line - 1] ?? "");
    while (suites.length > 0 && indent <= (suites.at(-1)?.indent ?? 0)) suites.pop();
    const word = token.text === "RSpec" && code.tokens[index + 1]?.text === "." ? index + 2 : index;
    const next = code.tokens[word + 1];
    const name = next?.kind === "string" ? plainText(next.text) : (next?.text ?? "");
    if (/^(?:describe|context|class|module|feature)$/.test(code.tokens[word]?.text ?? ""))
      suites.push({ name, indent });
    const isTest =
      token.text === "def"
        ? name.startsWith("test_")
        : /^(?:it|test|specify|should|scenario|example)$/.test(token.text) && next?.kind === "string";
    if (isTest)
      blocks.push({
        name,
        suites: suites.map((each) => each.name),
        fromLine: token.line,
        toLine: endLine(lines, token.line, indent),
      });
  }
  return blocks;
}

function isFirstOfLine(code: Code, index: number): boolean {
  return (code.tokens[index - 1]?.line ?? 0) < (code.tokens[index]?.line ?? 0);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function endLine(lines: readonly string[], from: number, indent: number): number {
  const isWhole = !/\bdo\b[^\n]*$|^\s*def\b/.test(lines[from - 1] ?? "");
  if (isWhole) return from;
  for (let line = from; line < Math.min(lines.length, from + blockLinesMax); line += 1) {
    const text = lines[line] ?? "";
    if (/^\s*end\b/.test(text) && indentOf(text) <= indent) return line + 1;
  }
  return from;
}

/** No test of people is longer; so a file of titles alone is read in linear time. */
const blockLinesMax = 2000;
