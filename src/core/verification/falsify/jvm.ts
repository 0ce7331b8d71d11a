import {
  argumentsOf,
  collectEdits,
  lastLine,
  replaceRange,
  skipToken,
  type Code,
  type Edit,
  type Range,
} from "./code.ts";
import { plainText, type TestBlock } from "./blocks.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { falsifyEquality, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";

/** Makes the assertions of a Java or Kotlin test false: JUnit 4 and 5, TestNG, AssertJ, Hamcrest, kotlin.test, Kotest. */
export function falsifyJvm(subject: Subject): Edit[] {
  const { code } = subject;
  const isMessageFirst = /\borg\.junit\.Assert\b|\bjunit\.framework\b/.test(code.text);
  return collectEdits(code, (index) => {
    const token = code.tokens[index];
    if (token?.text === "shouldBe")
      return { edit: falsifyEquality(subject, [{ from: index + 1, to: index + 2 }]), to: index + 2 };
    if (token?.text === "assert" && code.tokens[index + 1]?.text !== "(") return null;
    if (token?.text === "expected" && code.tokens[index - 1]?.text === "(")
      return { edit: falsifyAnnotation(code, index), to: index + 1 };
    if (token?.kind !== "word" || code.tokens[index + 1]?.text !== "(") return null;
    const edit = falsifyCall(subject, index, isMessageFirst);
    return edit === null ? null : { edit, to: skipToken(code, index + 1) };
  });
}

/** `@Test(expected = X.class)`: an error that no code throws by itself. */
function falsifyAnnotation(code: Code, index: number): Edit | null {
  if (!/^@?Test$/.test(code.tokens[index - 2]?.text ?? "") || code.tokens[index + 1]?.text !== "=") return null;
  return replaceRange(code, { from: index + 2, to: index + 3 }, "java.lang.InternalError");
}

function falsifyCall(subject: Subject, index: number, isMessageFirst: boolean): Edit | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  const all = argumentsOf(code, index + 1);
  const isMatcher = code.tokens[index - 1]?.text === "." && code.tokens[index - 2]?.text === ")";
  if (isMatcher) return falsifyFluent(subject, index, all);
  if (!/^(?:assert|fail)/.test(name)) return null;
  const opposite = opposites.get(name);
  if (opposite !== undefined) return replaceRange(code, { from: index, to: index + 1 }, opposite);
  const count = /^assert(?:True|False)$/.test(name) ? 1 : 2;
  const given =
    isMessageFirst && all.length > count && code.tokens[all[0]?.from ?? -1]?.kind === "string" ? all.slice(1) : all;
  const [first, second] = given;
  if (first === undefined) return null;
  if (name === "assertTrue" || name === "assert") return makeFalse(code, first);
  if (name === "assertFalse") return makeTrue(code, first);
  if (second === undefined) return null;
  if (name === "assertThrows" || name === "assertThrowsExactly") return falsifyThrows(code, index, first);
  if (name === "assertThat") return falsifyHamcrest(code, given.at(-1) ?? second);
  if (/^assert(?:Equals|Same|ContentEquals)$/.test(name)) return falsifyEquality(subject, [first, second]);
  return name === "assertArrayEquals" || name === "assertIterableEquals" ? falsifyExpected(code, first) : null;
}

/** `is(3)`, `equalTo("a")`. */
function falsifyHamcrest(code: Code, matcher: Range): Edit | null {
  return falsifyExpected(code, matcher);
}

/** An assigned exception keeps its type. */
function falsifyThrows(code: Code, index: number, type: Range): Edit | null {
  const head = code.tokens[index - 1]?.text === "." ? code.tokens[index - 3] : code.tokens[index - 1];
  if (head?.text === "=" || head?.text === "return" || head?.text === "(") return null;
  const { to } = type;
  const isJava = code.tokens[to - 1]?.text === "class" && code.tokens[to - 2]?.text === ".";
  return isJava ? replaceRange(code, type, "java.lang.InternalError.class") : null;
}

/** AssertJ: `assertThat(x).isEqualTo(3)`; only in a chain that begins with an assertion. */
function falsifyFluent(subject: Subject, index: number, given: readonly Range[]): Edit | null {
  const { code } = subject;
  const name = code.tokens[index]?.text ?? "";
  const opposite = fluentOpposites.get(name);
  if (!beginsWithAssert(code, index)) return null;
  if (opposite !== undefined) return replaceRange(code, { from: index, to: index + 1 }, opposite);
  const [expected] = given;
  if (expected === undefined) return null;
  if (name === "isEqualTo" || name === "isSameAs") return falsifyEquality(subject, [expected]);
  return /^(?:hasSize|contains\w*|startsWith|endsWith|hasMessage\w*)$/.test(name)
    ? falsifyExpected(code, expected)
    : null;
}

function beginsWithAssert(code: Code, index: number): boolean {
  let close = index - 2;
  for (let step = 0; step < 12; step += 1) {
    const open = code.tokens[close]?.partner ?? -1;
    if (open <= 0) return false;
    if (/^(?:assertThat\w*|then)$/.test(code.tokens[open - 1]?.text ?? "")) return true;
    if (code.tokens[open - 2]?.text !== ".") return false;
    close = open - 3;
  }
  return false;
}

const opposites = new Map([
  ["assertNotEquals", "assertEquals"],
  ["assertNotSame", "assertSame"],
  ["assertNull", "assertNotNull"],
  ["assertNotNull", "assertNull"],
]);

const fluentOpposites = new Map([
  ["isTrue", "isFalse"],
  ["isFalse", "isTrue"],
  ["isNull", "isNotNull"],
  ["isNotNull", "isNull"],
  ["isEmpty", "isNotEmpty"],
  ["isNotEmpty", "isEmpty"],
  ["isNotEqualTo", "isEqualTo"],
]);

/** Methods under `@Test` and its kin with their class as suite; in Kotlin also names in back quotes. */
export function jvmBlocks(code: Code): TestBlock[] {
  const blocks: TestBlock[] = [];
  const classes: { name: string; to: number }[] = [];
  let from = -1;
  for (const [index, token] of code.tokens.entries()) {
    while ((classes.at(-1)?.to ?? Infinity) <= index) classes.pop();
    if (token.text === "class" && code.tokens[index - 1]?.text !== "." && code.tokens[index + 1]?.kind === "word") {
      const to = skipToken(code, bodyOpen(code, index));
      classes.push({ name: code.tokens[index + 1]?.text ?? "", to });
    }
    if (/^@(?:Test|ParameterizedTest|RepeatedTest)$/.test(token.text)) from = token.line;
    if (from === -1 || code.tokens[index + 1]?.text !== "(" || !isMethod(code, index)) continue;
    const body = bodyOpen(code, index);
    const last = code.tokens[skipToken(code, body) - 1] ?? token;
    blocks.push({
      name: plainText(token.text),
      suites: classes.map(({ name }) => name),
      fromLine: from,
      toLine: lastLine(last),
    });
    from = -1;
  }
  return blocks;
}

/** A name after `fun`, or after a type: no annotation. */
function isMethod(code: Code, index: number): boolean {
  const [before, token] = [code.tokens[index - 1]?.text ?? "", code.tokens[index]];
  if (token?.kind !== "word" || token.text.startsWith("@")) return false;
  return code.language === "kotlin" ? before === "fun" : /^[\w>\]]+$/.test(before);
}

function bodyOpen(code: Code, from: number): number {
  let index = from;
  while (index < code.tokens.length && !/^[{;]$/.test(code.tokens[index]?.text ?? "")) index = skipToken(code, index);
  return index;
}
