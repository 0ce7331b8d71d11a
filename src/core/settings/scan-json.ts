import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** Where things stand in a JSON text, counted from line 1. */
export type JsonScan = {
  /** The first text that is not JSON, or null. The sentence gives the remedy. */
  fault: { line: number; column: number; sentence: string } | null;
  /** The line of a key or an element; of a repeated key the last one, which counts. */
  lineOf(path: readonly PropertyKey[]): number | null;
};

/** Reads a JSON text for positions only: `JSON.parse` does not give the line of a key, nor always that of an error. */
export function scanJson(text: string): JsonScan {
  const { root, fault } = read(text);
  return {
    fault: fault === null ? null : { ...placeOf(text, fault.at), sentence: fault.sentence },
    lineOf(path) {
      const found = root === null ? null : findPlace(root, path);
      return found === null ? null : placeOf(text, found).line;
    },
  };
}

type Fault = { at: number; sentence: string };

/** Settings have four levels; a text nested deeper than this is a mistake or an attack on the stack. */
const depthMax = 100;

function read(text: string): { root: Node | null; fault: Fault | null } {
  if (text.trim() === "") return { root: null, fault: { at: 0, sentence: "the file is empty; write {} or remove it" } };
  const deep = findTooDeep(text);
  if (deep !== null) return { root: null, fault: { at: deep, sentence: "it is nested too deep" } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true }) ?? null;
  const [first] = errors;
  return { root, fault: first === undefined ? null : faultOf(text, first) };
}

/** Counts brackets outside of texts, before anything follows them by recursion. */
function findTooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\\n])*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > depthMax) return index;
  }
  return null;
}

function faultOf(text: string, { error, offset }: ParseError): Fault {
  const found = shown(tokenAt(text, offset));
  const isKey = openBracket(text, offset) === "{" && /[{,]\s*$/.test(text.slice(0, offset));
  const comma = trailingComma(text, offset);
  switch (printParseErrorCode(error)) {
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return { at: offset, sentence: "JSON has no comments; remove it" };
    case "UnexpectedEndOfString":
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
    case "InvalidCharacter":
      return { at: offset, sentence: textFault };
    case "CloseBraceExpected":
      return { at: offset, sentence: `the file ends before }` };
    case "CloseBracketExpected":
      return { at: offset, sentence: `the file ends before ]` };
    case "ColonExpected":
      return { at: offset, sentence: `a colon is missing after ${lastText(text, offset)}, found ${found}` };
    case "EndOfFileExpected":
      return { at: offset, sentence: `nothing may follow the settings, found ${found}` };
    case "CommaExpected":
      return missingComma(text, offset);
    case "InvalidSymbol":
    case "InvalidNumberFormat":
    case "PropertyNameExpected":
    case "UnexpectedEndOfNumber":
    case "ValueExpected":
    case "<unknown ParseErrorCode>":
      if (comma !== null) return { at: comma, sentence: `remove the comma before ${found}` };
      if (offset >= text.trimEnd().length) return { at: offset, sentence: "the file ends too early" };
      return { at: offset, sentence: isKey ? `a key stands in double quotes, found ${found}` : noValue(found) };
  }
}

const textFault = "a text is not closed with a double quote, or holds a character to be escaped";

function noValue(found: string): string {
  return `expected a value, found ${found}; texts stand in double quotes`;
}

/** Between two entries; but `01` is one wrong number, which the parser reads as two values. */
function missingComma(text: string, offset: number): Fault {
  const begin = offset - (/[\d.eE+-]+$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  if (begin < offset) return { at: begin, sentence: noValue(shown(tokenAt(text, begin))) };
  const end = openBracket(text, offset) === "[" ? "]" : "}";
  return { at: offset, sentence: `a comma or ${end} is missing before ${shown(tokenAt(text, offset))}` };
}

/** The bracket that is open at a place. */
function openBracket(text: string, offset: number): string {
  const open: string[] = [];
  for (const { 0: token } of text.slice(0, offset).matchAll(/"(?:\\.|[^"\\\n])*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(token);
    else if (token === "}" || token === "]") open.pop();
  }
  return open.at(-1) ?? "{";
}

/** The place of a comma right before the closing bracket at `offset`. */
function trailingComma(text: string, offset: number): number | null {
  const before = text.slice(0, offset).trimEnd();
  return /[}\]]/.test(text.charAt(offset)) && before.endsWith(",") ? before.length - 1 : null;
}

/** The last text in double quotes before a place. */
function lastText(text: string, offset: number): string {
  return (
    text
      .slice(0, offset)
      .match(/"(?:\\.|[^"\\\n])*"/g)
      ?.at(-1) ?? "the key"
  );
}

function tokenAt(text: string, offset: number): string {
  return (
    /^(?:"(?:\\.|[^"\\\n])*"|[{}[\],:]|[^\s{}[\],:"]+)/.exec(text.slice(offset, offset + tokenCharsMax))?.[0] ?? ""
  );
}

/** Enough to show one. */
const tokenCharsMax = 200;

function shown(token: string): string {
  if (token === "") return "the end of the file";
  return token.length > 40 ? `${token.slice(0, 37)}...` : token;
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Where a key or an element begins. */
function findPlace(root: Node, path: readonly PropertyKey[]): number | null {
  let node: Node | undefined = root;
  let place = root.offset;
  for (const key of path) {
    const children: Node[] = node?.children ?? [];
    const member: Node | undefined =
      node?.type === "array"
        ? children[Number(key)]
        : children.findLast(({ children: parts }) => parts?.[0]?.value === String(key));
    if (member === undefined) return null;
    place = member.offset;
    node = member.type === "property" ? member.children?.[1] : member;
  }
  return place;
}
