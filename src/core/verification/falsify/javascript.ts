import {
  argumentsOf,
  collectEdits,
  insertBefore,
  replaceRange,
  skipToken,
  type Code,
  type Edit,
  type Found,
  type Range,
} from "./code.ts";
import { makeFalse, makeTrue } from "./condition.ts";
import { falsifyEquality, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";
import { failsInJavaScript, findFailingIf } from "./failing-if.ts";
import { falsifyMatcher, readChain } from "./javascript-matchers.ts";

/** Makes the assertions of a JavaScript or TypeScript test false: node:assert, jest, vitest, chai, tap, ava, `if (…) throw`. */
export function falsifyJavaScript(subject: Subject): Edit[] {
  const { code } = subject;
  const imported = importedAssertions(code);
  return collectEdits(code, (index) => {
    if (code.tokens[index]?.text === "if") return findFailingIf(subject, index, { failsIn: failsInJavaScript });
    return findExpect(subject, index) ?? findAssertion(subject, index, imported);
  });
}

function findExpect(subject: Subject, index: number): Found | null {
  const { tokens } = subject.code;
  const isShould =
    tokens[index]?.text === "." && tokens[index + 1]?.text === "should" && tokens[index + 2]?.text === ".";
  if (isShould) {
    const chain = readChain(subject, index + 2);
    return { edit: falsifyMatcher(subject, chain), to: chain.to };
  }
  if (tokens[index]?.text !== "expect" || tokens[index - 1]?.text === ".") return null;
  const isVariant = tokens[index + 1]?.text === "." && /^(?:soft|poll)$/.test(tokens[index + 2]?.text ?? "");
  const open = isVariant ? index + 3 : index + 1;
  if (tokens[open]?.text !== "(" || (tokens[open]?.partner ?? -1) < open) return null;
  const chain = readChain(subject, skipToken(subject.code, open));
  return { edit: falsifyMatcher(subject, chain), to: chain.to };
}

function findAssertion(subject: Subject, index: number, imported: ReadonlyMap<string, string>): Found | null {
  const { tokens } = subject.code;
  if (tokens[index]?.kind !== "word" || tokens[index - 1]?.text === ".") return null;
  const path = [tokens[index]?.text ?? ""];
  let open = index + 1;
  while (tokens[open]?.text === "." && tokens[open + 1]?.kind === "word" && path.length < 5) {
    path.push(tokens[open + 1]?.text ?? "");
    open += 2;
  }
  if (tokens[open]?.text !== "(" || (tokens[open]?.partner ?? -1) < open) return null;
  const name = assertionName(path, imported);
  if (name === null) return null;
  const edit = falsifyCall(subject, { name, nameAt: open - 1, open });
  return edit === null ? null : { edit, to: skipToken(subject.code, open) };
}

function assertionName(path: readonly string[], imported: ReadonlyMap<string, string>): string | null {
  const last = path.at(-1) ?? "";
  if (path.length === 1)
    return last === "assert" || (last === "ok" && imported.has(last)) ? "ok" : (imported.get(last) ?? null);
  const isHead = path.slice(0, -1).some((word) => word === "assert") || /^(?:t|tt|tap|st)$/.test(path[0] ?? "");
  return isHead || imported.has(path[0] ?? "") ? last : null;
}

/** `import { equal as same } from "node:assert"`, by the name it has in this file. */
function importedAssertions(code: Code): Map<string, string> {
  const names = new Map<string, string>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "string" || !/^["'](?:node:)?assert(?:\/strict)?["']$/.test(token.text)) continue;
    const isRequired = code.tokens[index - 1]?.text === "(";
    const end = isRequired ? index - 4 : index - 2;
    const close = code.tokens[end];
    if (close?.kind === "word") names.set(close.text, "ok");
    if (close?.text !== "}" || close.partner === -1) continue;
    for (const { from, to } of argumentsOf(code, close.partner))
      names.set(code.tokens[to - 1]?.text ?? "", code.tokens[from]?.text ?? "");
  }
  return names;
}

type Call = { name: string; nameAt: number; open: number };

function falsifyCall(subject: Subject, { name, nameAt, open }: Call): Edit | null {
  const { code } = subject;
  const given = argumentsOf(code, open);
  const [first, second] = given;
  if (first === undefined) return null;
  const positive =
    opposites.get(name) ?? (/^not[A-Z]/.test(name) ? `${name.charAt(3).toLowerCase()}${name.slice(4)}` : null);
  if (positive !== null) return replaceRange(code, { from: nameAt, to: nameAt + 1 }, positive);
  if (truthNames.has(name)) return makeFalse(code, first);
  if (falsityNames.has(name)) return makeTrue(code, first);
  if (name === "ifError") return replaceRange(code, first, 'new Error("falsified")');
  if (name === "throws" || name === "rejects") return falsifyThrows(code, open, given);
  if (second === undefined) return null;
  if (name === "match" || name === "regex")
    return falsifyExpected(code, second) ?? replaceRange(code, second, "/(?!)/");
  return equalityNames.test(name) ? falsifyEquality(subject, [second, first]) : null;
}

function falsifyThrows(code: Code, open: number, given: readonly Range[]): Edit | null {
  const [, expected] = given;
  if (expected !== undefined) {
    const isPattern = code.tokens[expected.from]?.kind === "regex" || code.tokens[expected.from]?.text === "{";
    return (isPattern ? falsifyExpected(code, expected) : null) ?? replaceRange(code, expected, "/(?!)/");
  }
  const close = code.tokens[open]?.partner ?? -1;
  const token = code.tokens[close];
  if (token === undefined) return null;
  return insertBefore(token, code.tokens[close - 1]?.text === "," ? " /(?!)/" : ", /(?!)/");
}

const opposites = new Map([
  ["doesNotThrow", "throws"],
  ["doesNotReject", "rejects"],
  ["notThrows", "throws"],
  ["notThrowsAsync", "throwsAsync"],
  ["doesNotMatch", "match"],
  ["not", "is"],
  ["notRegex", "regex"],
  ["isNull", "isNotNull"],
  ["isNotNull", "isNull"],
  ["isUndefined", "isDefined"],
  ["isDefined", "isUndefined"],
  ["throwsAsync", "notThrowsAsync"],
]);

const truthNames = new Set(["ok", "isTrue", "isOk", "true", "truthy", "assert"]);
const falsityNames = new Set(["notOk", "isFalse", "isNotOk", "false", "falsy"]);
const equalityNames =
  /^(?:equals?|strictEqual|deepEqual|deepStrictEqual|partialDeepStrictEqual|looseEqual|same|strictSame|is|like|eq|deepEquals|include|lengthOf|sameMembers|sameDeepMembers|closeTo|approximately)$/;
