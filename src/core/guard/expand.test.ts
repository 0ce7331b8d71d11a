import { expect, it } from "vitest";
import { expandFields, expandText, type Surroundings } from "./expand.ts";
import { marks } from "./facts/marks.ts";
import { parseScript } from "./syntax/parse-script.ts";
import type { Word } from "./syntax/script.ts";

function wordOf(text: string): Word {
  const command = parseScript(`x ${text}`, { stepsLeft: 9999, depth: 0, failure: null }).script[0]?.commands[0];
  return command?.type === "simple" ? (command.words[1] ?? []) : [];
}

function check(text: string, expected: string[], gaveUp: string[] = []): void {
  const reasons: string[] = [];
  const around: Surroundings = {
    home: "/home/ada",
    cwd: "/w",
    separators: " ",
    valueOf: (part) => (part.name === "@" ? ["a", "b"] : ["c d"]),
    outputOf: () => "out",
    visit: () => undefined,
    giveUp: (reason) => reasons.push(reason),
  };
  expect(expandFields(wordOf(text), around)).toEqual(expected);
  expect(reasons).toEqual(gaveUp);
}

it("splits, joins and multiplies words as bash does (R-121)", () => {
  check("$x", ["c", "d"]);
  check('"$x"', ["c d"]);
  check('1"$@"2', ["1a", "b2"]);
  check("{a,b}{1,2}", ["a1", "a2", "b1", "b2"]);
  check("a{b}", ["a{b}"]);
  check("'{a,b}'", ["{a,b}"]);
  check("~/x", ["/home/ada/x"]);
  check("'~/x'", ["~/x"]);
  check("~+/x", ["/w/x"]);
  check("~bob", ["/home/bob"]);
  check("*.ts", [`${marks.star}.ts`]);
  check("'*'.ts", ["*.ts"]);
  check("$(ls)$((1))", [`out${marks.some}`]);
});

it("gives up on more words than anyone writes instead of dropping some (R-124)", () => {
  const word = "{a,b}".repeat(9);
  check(word, [word], ["braces make too many words"]);
});

it("keeps a value in one piece (R-121)", () => {
  const around = {
    home: "/h",
    cwd: "/w",
    separators: " ",
    valueOf: () => ["c d"],
    outputOf: () => "",
    visit: () => undefined,
    giveUp: () => undefined,
  };
  expect(expandText(wordOf("a$x,{b}"), around)).toBe("ac d,{b}");
});
