import { argumentsOf, insertBefore, replaceRange, skipToken, type Edit, type Range } from "./code.ts";
import { falsifyEquality, type Subject } from "./equality.ts";
import { falsifyExpected } from "./expected.ts";

/** The matchers after `expect(…)` or `.should`: `.not.toBe(3)`, `.to.deep.equal([])`, `.to.be.true`. */
export type Chain = { words: { text: string; index: number }[]; open: number; to: number };

/** Reads the chain that begins with the point at an index. */
export function readChain({ code }: Subject, from: number): Chain {
  const chain: Chain = { words: [], open: -1, to: from };
  let index = from;
  while (/^\??\.$/.test(code.tokens[index]?.text ?? "") && code.tokens[index + 1]?.kind === "word") {
    chain.words.push({ text: code.tokens[index + 1]?.text ?? "", index: index + 1 });
    index += 2;
    if (code.tokens[index]?.text === "(" && (code.tokens[index]?.partner ?? -1) > index) {
      chain.open = index;
      index = skipToken(code, index);
      chain.to = index;
      break;
    }
    chain.to = index;
  }
  return chain;
}

/** Makes the last matcher of a chain false. */
export function falsifyMatcher(subject: Subject, chain: Chain): Edit | null {
  const { code } = subject;
  const matcher = chain.words.at(-1);
  if (matcher === undefined || (matcher.text.endsWith("Snapshot") && !matcher.text.includes("Inline"))) return null;
  const negation = chain.words.find(({ text }) => text === "not" || text === "never");
  if (negation !== undefined) return replaceRange(code, { from: negation.index - 1, to: negation.index + 1 }, "");
  if (chain.open === -1) return isTerminal(matcher.text) ? negate(subject, matcher.index) : null;
  const given = argumentsOf(code, chain.open);
  if (isThrow(matcher.text)) return falsifyThrow(subject, chain.open, given);
  if (isOrder(matcher.text)) return negate(subject, matcher.index);
  const candidates = isSpread(matcher.text) ? given.toReversed() : given.slice(0, 1);
  for (const each of candidates) {
    const edit = falsifyExpected(code, each);
    if (edit !== null) return edit;
  }
  if (!isEquality(matcher.text) || given.length === 0) return negate(subject, matcher.index);
  return falsifyEquality(subject, given.slice(0, 1));
}

/** Another error than the expected one: no message contains this text. */
export function falsifyThrow({ code }: Subject, open: number, given: readonly Range[]): Edit | null {
  const [expected] = given;
  if (expected !== undefined) return falsifyExpected(code, expected) ?? replaceRange(code, expected, '"falsified"');
  const close = code.tokens[code.tokens[open]?.partner ?? -1];
  return close === undefined ? null : insertBefore(close, '"falsified"');
}

function negate({ code }: Subject, index: number): Edit | null {
  const token = code.tokens[index];
  return token === undefined ? null : insertBefore(token, "not.");
}

function isTerminal(name: string): boolean {
  return /^(?:true|false|ok|null|undefined|empty|exist|exists|NaN|arguments|called\w*|rejected|fulfilled|extensible|sealed|frozen|finite)$/.test(
    name,
  );
}

function isThrow(name: string): boolean {
  return /^(?:toThrow|toThrowError|throws?|Throw)$/.test(name);
}

function isOrder(name: string): boolean {
  return /Greater|Less|^(?:above|below|least|most|within|gte?|lte?|greaterThan|lessThan|oneOf|toBeOneOf|toSatisfy|satisfy)$/.test(
    name,
  );
}

function isSpread(name: string): boolean {
  return /With$|[pP]roperty$|Attribute$|Style|members$/.test(name);
}

function isEquality(name: string): boolean {
  return /^(?:toBe|toEqual|toStrictEqual|toMatchObject|equal|equals|eq|eql|eqls|deepEqual)$/.test(name);
}
