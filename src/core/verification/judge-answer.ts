import { verifiedExample } from "./judge-prompt.ts";

/** The judge's verdict, or null when the answer has neither of the two words, or both. */
export type JudgeAnswer = { isVerified: boolean; reason: string } | null;

/**
 * Reads a judge's answer: the first line that begins with one of the two words, in capitals as they were asked for. A
 * preamble, emphasis, a code fence, list marks and a label such as "Verdict:" before the word do not hide it. "VERIFIED"
 * counts only as a verdict: its line ends after it, or a colon or a dash and the reason follow. In a sentence or in a
 * quotation it does not count. The parser looks for the refusal first, because it contains the other word (CW-2J), and
 * accepts it more freely. A "VERIFIED" counts only when the refusal occurs nowhere in the text: an answer with both words,
 * for example one that repeats the question, is not a verdict.
 */
export function readJudgeAnswer(text: string): JudgeAnswer {
  const lines = unquoted(text).split("\n");
  const at = lines.findIndex((line) => wordOf(line) !== null);
  const said = wordOf(lines[at] ?? "");
  if (said === null) return null;
  if (said.isVerified && isContradicted(lines, at, said.rest)) return null;
  const reason = [said.rest, ...lines.slice(at + 1)]
    .filter((line) => !fenceLine.test(line))
    .join("\n")
    .trim();
  return { isVerified: said.isVerified, reason: reason === "" ? "no reason given" : reason };
}

/** What may precede a verdict: marks of a list, a heading or emphasis, and a label with its colon. */
const marks = /^(?:[\s\uFEFF\u2705*`#_+-]|\d{1,2}[.)]\s)*/u;
const label = /^(?:my |the |final )*(?:answer|verdict|result|conclusion|decision|judge?ment)\b\s*(?:is\b)?[\s*_`]*:/iu;

/** Before a refusal also quotation marks, and a label without its colon. */
const looseMarks = /^(?:[\s\uFEFF*`"'“‘«#_+-]|\d{1,2}[.)]\s)*/u;
const looseLabel = new RegExp(`${label.source}?`, "iu");

/** The refusal is also accepted with a space and with any text after it; the other word only as requested. */
const refusal = /^NOT[ _-]VERIFIED(?!_*[A-Za-z0-9?/-])/u;
const approval = /^VERIFIED(?=[*`_]*(?:[.!]?[*`_\s]*$|\s*:|\s*[–—]|\s+-{1,2}\s))/u;
const closingMarks = /^[*`"'”’»_]+/u;

const fenceLine = /^\s*(?:`{3,}|~{3,})\s*[\w-]*\s*$/u;

/** The word a line begins with, and what follows on the line. */
function wordOf(line: string): { isVerified: boolean; rest: string } | null {
  const loose = line.replace(looseMarks, "").replace(looseLabel, "").replace(looseMarks, "");
  const strict = line.replace(marks, "").replace(label, "").replace(marks, "");
  const found = refusal.exec(loose) ?? approval.exec(strict);
  if (found === null) return null;
  const [word] = found;
  const rest = found.input
    .slice(word.length)
    .replace(closingMarks, "")
    .replace(/^\s*:?/u, "")
    .replace(closingMarks, "")
    .trim();
  return { isVerified: word === "VERIFIED", rest };
}

function isContradicted(lines: readonly string[], at: number, rest: string): boolean {
  if (lines.some((line) => /(?<![A-Za-z0-9])NOT[ _-]?VERIFIED/u.test(line) || /^\W*not verified\b/iu.test(line)))
    return true;
  return rest.includes(verifiedExample) || isQuotedEvidence(lines, at);
}

/** A fenced word between other words may quote the evidence: the judge's own verdict is first or last. */
function isQuotedEvidence(lines: readonly string[], at: number): boolean {
  const isFence = (line: string): boolean => fenceLine.test(line);
  if (lines.slice(0, at).filter(isFence).length % 2 === 0) return false;
  const open = lines.slice(0, at).findLastIndex(isFence);
  const close = lines.findIndex((line, index) => index > at && isFence(line));
  const isText = (line: string): boolean => line.trim() !== "";
  return lines.slice(0, open).some(isText) && close !== -1 && lines.slice(close + 1).some(isText);
}

/** An answer that is quoted as a whole; a quotation among other words is evidence. */
function unquoted(text: string): string {
  const [, inner] = wholeQuotation.exec(text) ?? [];
  const lines = (inner ?? text).split(/\r?\n/u);
  const isQuotation = lines.every((line) => /^\s*(?:>|$)/u.test(line));
  return (isQuotation ? lines.map((line) => line.replace(/^\s*(?:>\s?)+/u, "")) : lines).join("\n");
}

const wholeQuotation = /^\s*["“«]([^"“”«»]*)["”»]\s*$/u;
