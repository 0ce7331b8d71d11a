import type { Language } from "../syntax/language.ts";
import type { Token } from "../syntax/scan-tokens.ts";

/** A change of code that keeps it valid and makes it wrong. */
export type Change = {
  kind: "comparison" | "boundary" | "logic" | "arithmetic" | "number" | "return" | "removed-call";
  line: number;
  from: number;
  to: number;
  text: string;
};

/** All changes of a file, in the order of its tokens; tests inside a file of Rust are left out. */
export function findChanges(tokens: readonly Token[], language: Language): Change[] {
  const end = language === "rust" ? testModule(tokens) : tokens.length;
  return tokens.slice(0, end).flatMap((token, index) => {
    const code = { tokens, index, language };
    const found = swapped(code) ?? swappedWord(code) ?? otherNumber(code) ?? otherReturn(code) ?? removedCall(code);
    return found === null ? [] : [{ line: token.line, ...found }];
  });
}

type Place = { tokens: readonly Token[]; index: number; language: Language };
type Found = Omit<Change, "line">;

function testModule(tokens: readonly Token[]): number {
  const at = tokens.findIndex((token, index) => token.text === "cfg" && tokens[index + 2]?.text === "test");
  return at === -1 ? tokens.length : at;
}

/** An operator between two operands; with space on both sides it is no bracket of a type, no pointer and no sign. */
function swapped({ tokens, index, language }: Place): Found | null {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token?.kind !== "symbol" || before === undefined || after === undefined) return null;
  const swap = swaps.get(token.text);
  const isSpaced = before.to < token.from && token.to < after.from;
  if (
    swap === undefined ||
    !isSpaced ||
    !isOperandEnd(before) ||
    (after.kind === "symbol" && !/^[([!-]$/.test(after.text))
  )
    return null;
  const isSum = swap[0] === "arithmetic";
  const isText = [before, after].some(({ kind }) => kind === "string" || kind === "opaque");
  const isType = isTypeWord(before) || isTypeWord(after);
  if (isSum && (isText || isType || (token.text === "*" && language === "c" && before.kind === "word"))) return null;
  if (/^[<>]$/.test(token.text) && isType && language !== "python" && language !== "ruby") return null;
  if (language === "ruby" && token.text === "<" && tokens[index - 2]?.text === "class") return null;
  return { kind: swap[0], from: token.from, to: token.to, text: swap[1] };
}

function isOperandEnd(token: Token): boolean {
  return token.kind === "word" ? !keywords.has(token.text) : token.kind !== "symbol" || /^[)\]]$/.test(token.text);
}

function isTypeWord(token: Token): boolean {
  return token.kind === "word" && /^[A-Z]/.test(token.text) && !/^[A-Z_0-9]{2,}$/.test(token.text);
}

const swaps = new Map<string, [Change["kind"], string]>([
  ["==", ["comparison", "!="]],
  ["===", ["comparison", "!=="]],
  ["!=", ["comparison", "=="]],
  ["!==", ["comparison", "==="]],
  ["<", ["boundary", "<="]],
  ["<=", ["boundary", "<"]],
  [">", ["boundary", ">="]],
  [">=", ["boundary", ">"]],
  ["&&", ["logic", "||"]],
  ["||", ["logic", "&&"]],
  ["+", ["arithmetic", "-"]],
  ["-", ["arithmetic", "+"]],
  ["*", ["arithmetic", "+"]],
  ["/", ["arithmetic", "*"]],
  ["%", ["arithmetic", "*"]],
]);

const keywords = new Set(
  "return case in of if else and or not await yield new throw typeof match when while until import from as export default const let var type where impl dyn extends".split(
    " ",
  ),
);

/** `true` and `false`, `and` and `or`, a removed `not` or `!`. */
function swappedWord({ tokens, index, language }: Place): Found | null {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined || after === undefined) return null;
  const place = { from: token.from, to: token.to };
  const isKey = after.text === ":" && language !== "python";
  const word = token.kind === "word" && before?.text !== "." && !isKey ? words.get(token.text) : undefined;
  const isJoint = token.text === "and" || token.text === "or";
  if (word !== undefined && (!isJoint || language === "python" || language === "ruby"))
    return { kind: "logic", ...place, text: word };
  if (language === "python") {
    const isNegation = token.text === "not" && after.text !== "in" && before?.text !== "is";
    return isNegation ? { kind: "logic", from: token.from, to: after.from, text: "" } : null;
  }
  const isOpen = before === undefined || /^(?:[(,=]|&&|\|\||return|if)$/.test(before.text);
  const isNegation =
    token.text === "!" && token.to === after.from && isOpen && (after.kind === "word" || after.text === "(");
  return isNegation ? { kind: "logic", ...place, text: "" } : null;
}

const words = new Map([
  ["true", "false"],
  ["false", "true"],
  ["True", "False"],
  ["False", "True"],
  ["and", "or"],
  ["or", "and"],
]);

/** A small whole number that is compared, returned or calculated with. */
function otherNumber({ tokens, index }: Place): Found | null {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (token?.kind !== "number" || !/^(?:\d|[1-9]\d{1,1})$/.test(token.text)) return null;
  if (!/^(?:[-+*/%<>]|[<>=!]=|[=!]==|return)$/.test(before?.text ?? "")) return null;
  return { kind: "number", from: token.from, to: token.to, text: String(Number(token.text) + 1) };
}

/** `return x` gives nothing back, where no type demands a value. */
function otherReturn({ tokens, index, language }: Place): Found | null {
  const token = tokens[index];
  const nothing = nothings.get(language);
  if (token?.text !== "return" || nothing === undefined) return null;
  const to = lineEnd(tokens, index + 1);
  const [first, last] = [tokens[index + 1], tokens[to - 1]];
  if (
    first === undefined ||
    last === undefined ||
    to <= index + 1 ||
    last.line !== token.line ||
    first.text === nothing
  )
    return null;
  return { kind: "return", from: first.from, to: last.to, text: nothing };
}

const nothings = new Map<Language, string>([
  ["javascript", "undefined"],
  ["python", "None"],
  ["ruby", "nil"],
]);

/** The end of what stands on one line from a token on; `from` itself when brackets lead to another line. */
function lineEnd(tokens: readonly Token[], from: number): number {
  const line = tokens[from - 1]?.line;
  let index = from;
  while (index < tokens.length) {
    const token = tokens[index];
    if (token === undefined || token.line !== line || /^(?:;|\)|\]|\}|if|unless)$/.test(token.text)) return index;
    if (token.partner > index) {
      if (tokens[token.partner]?.line !== line) return from;
      index = token.partner;
    }
    index += 1;
  }
  return index;
}

/** A statement that is one call on one line; in Go an import could become unused by it. */
function removedCall({ tokens, index, language }: Place): Found | null {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (token?.kind !== "word" || language === "go" || keywords.has(token.text) || declarations.has(token.text))
    return null;
  if (before !== undefined && (before.line === token.line || !/^[;{}:)]$/.test(before.text))) return null;
  let at = index;
  while (tokens[at]?.kind === "word" && /^(?:\.|->|::)$/.test(tokens[at + 1]?.text ?? "")) at += 2;
  const open = tokens[at + 1];
  const close = tokens[open?.partner ?? -1];
  if (tokens[at]?.kind !== "word" || open?.text !== "(" || close === undefined || close.line !== token.line)
    return null;
  const after = tokens[open.partner + 1];
  if (language === "python")
    return after?.line === close.line ? null : { kind: "removed-call", from: token.from, to: close.to, text: "pass" };
  return after?.text === ";" && before?.text !== ")"
    ? { kind: "removed-call", from: token.from, to: close.to, text: "" }
    : null;
}

const declarations = new Set(
  "def class function func fn struct enum switch for super this assert del with elif except print".split(" "),
);
