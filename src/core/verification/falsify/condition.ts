import { outerTokens, replaceRange, textOf, type Code, type Edit, type Range } from "./code.ts";
import { falsifyExpected } from "./expected.ts";

/** Makes a condition false that a test demands to be true: by its expected literal, else whatever it says. */
export function makeFalse(code: Code, range: Range): Edit | null {
  return turn(code, range, false);
}

/** Makes a condition true under which a test fails, such as `got != 3`. */
export function makeTrue(code: Code, range: Range): Edit | null {
  return turn(code, range, true);
}

function turn(code: Code, range: Range, isWanted: boolean): Edit | null {
  if (range.to <= range.from) return null;
  for (let index = range.from; index < range.to; index += 1) if (code.tokens[index]?.kind === "opaque") return null;
  return turnLiteral(code, withoutParentheses(code, range), isWanted) ?? overrule(code, range, isWanted);
}

function withoutParentheses(code: Code, range: Range): Range {
  let { from, to } = range;
  while (to - from > 2 && code.tokens[from]?.text === "(" && code.tokens[from]?.partner === to - 1) {
    from += 1;
    to -= 1;
  }
  return { from, to };
}

/** One comparison with a literal on one side; of several that must all hold, the last. */
function turnLiteral(code: Code, range: Range, isWanted: boolean): Edit | null {
  const outer = outerTokens(code, range);
  if (outer.some(({ token }) => (isWanted ? unsure : alternative).test(token.text))) return null;
  const joint = outer.findLast(({ token }) => (isWanted ? disjunction : conjunction).test(token.text));
  const from = joint === undefined ? range.from : joint.index + 1;
  const part = outer.filter(({ index }) => index >= from);
  const comparisons = part.filter(({ token }) => comparison.test(token.text));
  const [only, second] = comparisons;
  if (only === undefined || part[0]?.token.text === "not") return null;
  const left = { from, to: only.index };
  if (only.token.text === "in" && !isWanted && comparisons.length === 1) {
    return part[0]?.token.kind === "string" ? falsifyExpected(code, left) : null;
  }
  const right = { from: (second?.index ?? only.index) + 1, to: range.to };
  if (only.token.text === "is")
    return isTruth(code, right) && !isWanted && second === undefined ? falsifyExpected(code, right) : null;
  if (comparisons.length !== 1 || !(isWanted ? unequal : equal).test(only.token.text)) return null;
  return falsifyExpected(code, right) ?? falsifyExpected(code, left);
}

function isTruth(code: Code, range: Range): boolean {
  return range.to - range.from === 1 && /^(?:True|False)$/.test(code.tokens[range.from]?.text ?? "");
}

function overrule(code: Code, range: Range, isWanted: boolean): Edit {
  const text = textOf(code, range);
  const isLoose = outerTokens(code, range).some(({ token }) => loose.test(token.text));
  const condition = isLoose ? `(${text})` : text;
  const words = code.language === "python" ? ["and False", "or True"] : ["&& false", "|| true"];
  const always = code.language === "c" ? ["&& 0", "|| 1"] : words;
  const whole = `${condition} ${always[isWanted ? 1 : 0]}`;
  return replaceRange(code, range, code.language === "c" ? `(${whole})` : whole);
}

const comparison = /^(?:===?|!==?|<=?|>=?|=~|!~|in|is)$/;
const equal = /^===?$/;
const unequal = /^!==?$/;
const conjunction = /^(?:&&|and)$/;
const unsure = /^(?:&&|and|\?|\?\?|if|lambda|=>|:=|=|,)$/;
const disjunction = /^(?:\|\||or)$/;
const alternative = /^(?:\|\||or|\?|\?\?|if|lambda|=>|:=|=|,)$/;
const loose = /^(?:\|\||&&|or|and|\?|\?\?|if|lambda|=>|:=|=|,|\||&|not|in|as|is)$/;
