import { type ClaimReport, noClaims } from "./claim-report.ts";
import { isSameText } from "./same-text.ts";
import type { Tag, TagName } from "./tag-lexer.ts";

/** The claims of a stretch of text. `hasExpected` tells whether one of them carries the expected text. */
export type Found = ClaimReport & { hasExpected: boolean };

/** A stretch of text without claims. */
export const nothingFound: Found = { ...noClaims, hasExpected: false };

/** Reads the tags of one turn. Remembers what the last ones said: agents repeat a tag, and comparing texts is slow. */
export function createTagReader(expected: string, signals: readonly TagName[]): (tag: Tag) => Found {
  const known = { promise: new Map<string, Found>(), response: new Map<string, Found>() };
  return (tag) => {
    const ofName = known[tag.name];
    const before = ofName.get(tag.content);
    if (before !== undefined) return before;
    const found = readTag(tag, expected, signals);
    if (ofName.size >= tagsKept) ofName.clear();
    ofName.set(tag.content, found);
    return found;
  };
}

/** Contents are at most 4 KB long. */
const tagsKept = 16;

/** What one tag says, taken as a claim. An empty tag and a tag that is not asked for say nothing. */
function readTag(tag: Tag, expected: string, signals: readonly TagName[]): Found {
  const text = tag.content.trim();
  if (text === "" || !signals.includes(tag.name)) return nothingFound;
  const hasExpected = isSameText(text, expected);
  if (tag.name === "response") return { ...nothingFound, response: text, hasExpected };
  if (hasExpected) return { ...nothingFound, isPromised: true, hasExpected };
  return { ...nothingFound, ...readOtherPromise(text) };
}

/** Joins two stretches: of each kind the first claim stays. */
export function addFound(first: Found, second: Found): Found {
  if (second === nothingFound || !addsTo(first, second)) return first;
  if (first === nothingFound) return second;
  return {
    response: first.response ?? second.response,
    isPromised: first.isPromised || second.isPromised,
    wrongPromise: first.wrongPromise ?? second.wrongPromise,
    blocked: first.blocked ?? second.blocked,
    question: first.question ?? second.question,
    rejected: first.rejected ?? second.rejected,
    isMentioned: first.isMentioned || second.isMentioned,
    hasExpected: first.hasExpected || second.hasExpected,
  };
}

/** Whether the second stretch has what the first one lacks: agents repeat themselves, and then nothing new is made. */
function addsTo(first: Found, second: Found): boolean {
  return (
    (second.response !== null && first.response === null) ||
    (second.isPromised && !first.isPromised) ||
    (second.wrongPromise !== null && first.wrongPromise === null) ||
    (second.blocked !== null && first.blocked === null) ||
    (second.question !== null && first.question === null) ||
    (second.rejected !== null && first.rejected === null) ||
    (second.isMentioned && !first.isMentioned) ||
    (second.hasExpected && !first.hasExpected)
  );
}

/** What is left of a stretch that turns out to be no claim: at most a mention. */
export function toMention(found: Found): Found {
  if (!found.hasExpected && !found.isMentioned) return nothingFound;
  return { ...nothingFound, isMentioned: true };
}

/** The report of a whole turn; who claimed needs no word about a mention. */
export function toClaimReport(found: Found): ClaimReport {
  const { hasExpected, ...report } = found;
  return { ...report, isMentioned: report.isMentioned && !hasExpected };
}

function readOtherPromise(text: string): Partial<ClaimReport> {
  const stop = /^(BLOCKED|DECIDE|REJECT)\s*(?::([^]*))?$/i.exec(text);
  if (stop === null) return { wrongPromise: text };
  const reason = (stop[2] ?? "").trim();
  if (stop[1]?.toUpperCase() === "REJECT")
    return { wrongPromise: text, rejected: reason === "" ? "no reason given" : reason };
  if (stop[1]?.toUpperCase() === "BLOCKED") return { blocked: reason === "" ? "no reason given" : reason };
  return { question: reason === "" ? "no question given" : reason };
}
