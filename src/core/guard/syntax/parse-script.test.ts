import { describe, expect, it } from "vitest";
import { parseScript } from "./parse-script.ts";
import type { Command, Script, Word } from "./script.ts";

/** What a script is, in short: types and words, nested in brackets. */
function outline(script: Script): string {
  return script
    .map(({ commands, isBackground }) => commands.map(outlineCommand).join(" | ") + (isBackground ? " &" : ""))
    .join("; ");
}

function outlineCommand(command: Command): string {
  switch (command.type) {
    case "simple": {
      const assigned = command.assignments.map(({ name, values }) => `${name}=${values.map(outlineWord).join(",")}`);
      const redirects = command.redirects.map(
        ({ operator, descriptor, target, body }) =>
          `${descriptor}${operator}${outlineWord(target)}${body === null ? "" : `«${outlineWord(body)}»`}`,
      );
      return [...assigned, ...command.words.map(outlineWord), ...redirects].join(" ");
    }
    case "group":
      return `${command.isSubshell ? "(" : "{"} ${outline(command.body)} ${command.isSubshell ? ")" : "}"}`;
    case "branch":
      return `branch[${command.words.map(outlineWord).join(" ")}](${command.parts.map(outline).join(" / ")})`;
    case "loop":
      return `loop[${command.each?.variable ?? ""}: ${command.each?.items.map(outlineWord).join(" ") ?? outline(command.condition)}](${outline(command.body)})`;
    case "function":
      return `function ${command.name} ${outlineCommand(command.body)}`;
  }
}

function outlineWord(word: Word): string {
  return word
    .map((part) => {
      if (part.type === "text") return part.text;
      if (part.type === "parameter") return `$${part.operator}{${part.name}${outlineWord(part.argument)}}`;
      return part.type === "arithmetic" ? "$((..))" : `$(${outline(part.script)})`;
    })
    .join("");
}

function check(text: string, expected: string): void {
  const { script, failure } = parseScript(text, { stepsLeft: 10_000, depth: 0, failure: null });
  expect(failure === null ? outline(script) : `failure: ${failure}`).toBe(expected);
}

describe("a command line is read as bash reads it (R-121)", () => {
  it.each([
    ["", ""],
    ["a b; c && d || e", "a b; c; d; e"],
    ["a | b |& c &", "a | b | c &"],
    ["a & b", "a &; b"],
    ["a\nb\n\n# c\nd # e", "a; b; d"],
    ["a#b c", "a#b c"],
    ["a\\\n b", "a b"],
    ["'a b'\"c d\"e\\ f", "a bc de f"],
    ["$'\\x61b'", "ab"],
    ["A=1 B='x y' c", "A=1 B=x y c"],
    ["A=(1 2); A+=(3)", "A=1,2; A=3"],
    ["(a; b) | { c; }", "( a; b ) | { c }"],
    ["! time -p a", "a"],
    ["if a; then b; elif c; then d; else e; fi", "branch[](a / b / c / d / e)"],
    ["while a; do b; done > c", "loop[: a](b)"],
    ["for i in 1 2; do a $i; done", "loop[i: 1 2](a ${i})"],
    ["for i in 1\ndo a\ndone", "loop[i: 1](a)"],
    ["for ((i=0;i<3;i++)); do a; done", "loop[: ](a)"],
    ["case $x in a|b) c;; *) d ;; esac", "branch[${x} a b *](c / d)"],
    ["f() { a; }", "function f { a }"],
    ["function f { a; }", "function f { a }"],
    ["[[ a && b =~ (c) ]] && d", "branch[a   b =~  c ](); d"],
    ["((i++)); a", "branch[i++](); a"],
    ["a $(b $(c)) `d`", "a $(b $(c)) $(d)"],
    ["a <(b) >(c)", "a $(b) $(c)"],
    ["a $((1+2)) $((b) | c)", "a $((..)) $(( b ) | c)"],
    ["a ${b:-$(c)} ${#d} ${e//f/g}", "a $:-{b$(c)} $#{d} $//{ef/g}"],
    ["a > b 2>&1 < c", "a >b 2>&1 <c"],
    ["a &> b >| c <> d", "a &>b >|c <>d"],
    ["a <<< 'b c'", "a <<<b c«b c»"],
    ["a <<E | b\nc $d\nE\ne", "a <<E«c ${d}\n» | b; e"],
    ["a <<'E'\n$c\nE", "a <<E«$c\n»"],
    ["a <<-E\n\tb\n\tE", "a <<-E«b\n»"],
    ["a <<A <<B\n1\nA\n2\nB", "a <<A«1\n» <<B«2\n»"],
    ['a "$(b <<E\nc)\nE\n)" d', "a $(b <<E«c)\n») d"],
    ["!(a|b)", "!(a|b)"],
  ])("%j", (text, expected) => {
    check(text, expected);
  });
});

describe("what bash would not read either is a failure with a reason (R-124)", () => {
  it.each([
    ["a 'b", "failure: a quote is not closed"],
    ['a "b', "failure: a quote is not closed"],
    ["a $(b", "failure: ) is missing"],
    ["a ${b", "failure: an expansion is not closed"],
    ["(a", "failure: ) is missing"],
    ["a )", "failure: unexpected ) after a command"],
    ["if a; then b", "failure: elif or else or fi is missing"],
    ["while a; do b", "failure: done is missing"],
    ["a >", "failure: > has no target"],
    ["(".repeat(100), "failure: it is nested too deeply"],
    ["a ".repeat(20_000), "failure: it takes too long to read"],
  ])("%j", (text, expected) => {
    check(text, expected);
  });
});
