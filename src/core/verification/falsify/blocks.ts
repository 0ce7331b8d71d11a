import { argumentsOf, lastLine, skipToken, type Code } from "./code.ts";

/** One test of a file: its own name, the suites around it from the outermost, and its lines with its decorators. */
export type TestBlock = { name: string; suites: string[]; fromLine: number; toLine: number };

/** The tests and suites of a file that are calls with a title: `it("adds", () => …)`, `describe`, `it.each(…)(…)`. */
export function callBlocks(code: Code): TestBlock[] {
  const blocks: TestBlock[] = [];
  const suites: { name: string; to: number }[] = [];
  for (const [index, token] of code.tokens.entries()) {
    while ((suites.at(-1)?.to ?? Infinity) <= index) suites.pop();
    if (token.kind !== "word" || !starts.test(token.text)) continue;
    const open = titleOpen(code, index);
    const [title] = open === -1 ? [] : argumentsOf(code, open);
    const text = title === undefined || title.to - title.from !== 1 ? undefined : code.tokens[title.from];
    if (text?.kind !== "string") continue;
    const to = skipToken(code, open);
    if (suiteWords.test(token.text)) {
      if (suites.length < depthMax) suites.push({ name: plainText(text.text), to });
    } else
      blocks.push({
        name: plainText(text.text),
        suites: suites.map(({ name }) => name),
        fromLine: token.line,
        toLine: lastLine(code.tokens[to - 1] ?? token),
      });
  }
  return blocks;
}

/** The text of a string literal as a report shows it. */
export function plainText(literal: string): string {
  return literal
    .replace(/^[a-zA-Z]{0,2}(["'`])([^]*)\1$/, "$2")
    .replaceAll(/\\(["'`\\])/g, "$1")
    .replaceAll(String.raw`\n`, "\n")
    .replaceAll(String.raw`\t`, "\t");
}

/** Nobody nests suites deeper; so the names of all tests stay in bounds. */
const depthMax = 30;

const suiteWords = /^(?:f|x)?(?:describe|context|suite)$/;
const starts = /^(?:(?:f|x)?(?:it|test|specify|describe|context|suite)|Deno|TEST_CASE|SECTION|SCENARIO)$/;

/** The bracket before the title: after `.only`, `.skip`, `.each(…)` or a tagged table. */
function titleOpen(code: Code, index: number): number {
  let at = index + 1;
  while (at < code.tokens.length) {
    const token = code.tokens[at];
    if (token?.text === "." && code.tokens[at + 1]?.kind === "word") at += 2;
    else if (token?.kind === "string" && code.tokens[at - 1]?.text === "each") at += 1;
    else if (token?.text === "(" && isModifier(code, at)) at = skipToken(code, at);
    else return token?.text === "(" && token.partner > at ? at : -1;
  }
  return -1;
}

function isModifier(code: Code, open: number): boolean {
  const close = code.tokens[open]?.partner ?? -1;
  return (
    /^(?:each|for|runIf|skipIf|extend)$/.test(code.tokens[open - 1]?.text ?? "") && code.tokens[close + 1]?.text === "("
  );
}
