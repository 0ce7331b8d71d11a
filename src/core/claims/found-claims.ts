import { type ClaimReport, noClaims } from "./claim-report.ts";
import { isSameText } from "./same-text.ts";
import type { Tag, TagName } from "./tag-lexer.ts";

/** The claims of a stretch of text. `hasExpected` tells whether one of them carries the expected text. */
export type Found = ClaimReport & { hasExpected: boolean };

/** A stretch of text without claims. */
export const nothingFound: Found = { ...noClaims, hasExpected: false };

/** What one tag says, taken as a claim. An empty tag and a tag that is not asked for say nothing. */
export function readTag(tag: Tag, expected: string, signals: readonly TagName[]): Found {
  const text = tag.content.trim();
  if (text === "" || !signals.includes(tag.name)) return nothingFound;
  const hasExpected = isSameText(text, expected);
  if (tag.name === "response") return { ...nothingFound, response: text, hasExpected };
  if (hasExpected) return { ...nothingFound, isPromised: true, hasExpected };
  return { ...nothingFound, ...readOtherPromise(text) };
}

/** Joins two stretches: of each kind the first claim stays. */
export function addFound(first: Found, second: Found): Found {
  if (second === nothingFound) return first;
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
