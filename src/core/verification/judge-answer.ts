import { hasDoubt, hasRefusal, isExample, isReport } from "./doubt.ts";
import { verifiedExample } from "./judge-prompt.ts";

/** The judge's verdict, or null when the answer is not clearly one of the two. */
export type JudgeAnswer = { isVerified: boolean; reason: string } | null;

/**
 * Reads a judge's answer: the first line that begins with one of the two words, in capitals as they were asked for. Marks of
 * emphasis, headings and lists, code fences, and a label such as "Verdict:" do not hide it; in a sentence or a quotation it
 * does not count. The parser looks for the refusal first, because it contains the other word (CW-2J), and accepts any text
 * around it. "VERIFIED" counts only when nothing in the answer can turn it around; see `isClear`.
 */
export function readJudgeAnswer(text: string): JudgeAnswer {
  const lines = text.normalize("NFKC").replace(invisible, "").split(/\r?\n/u);
  const at = lines.findIndex((line) => wordOf(line) !== null);
  const said = wordOf(lines[at] ?? "");
  if (said === null) return null;
  const reason = [said.rest, ...lines.slice(at + 1)]
    .filter((line) => !isFence(line))
    .join("\n")
    .trim();
  if (said.isVerified && !isClear({ lines, at, rest: said.rest, reason })) return null;
  return { isVerified: said.isVerified, reason: reason === "" ? "no reason given" : reason };
}

/** Characters that nobody sees: they may neither hide nor make a word. */
const invisible = /\p{Cf}/gu;

/** What may precede a verdict: marks of a list, a heading or emphasis, and a label with its colon. */
const marks = /^(?:[\s\u2705*`#_+-]|\d{1,2}[.)]\s)*/u;
const label = /^(?:my |the |final )*(?:answer|verdict|result|conclusion|decision|judge?ment)\b\s*(?:is\b)?[\s*_`]*:/iu;

/** Before a refusal also a label without its colon. */
const looseLabel = new RegExp(`${label.source}?`, "iu");

/** The refusal is also accepted with a space and with any text after it; the other word only as requested. */
const refusal = /^NOT[ _-]VERIFIED(?!_*[A-Za-z0-9?/-])/u;
const approval = /^VERIFIED(?=[*`_]*(?:[.!]?[*`_\s]*$|\s*:|\s*[–—]|\s+-{1,2}\s))/u;
const closingMarks = /^[*`"'”’»_]+/u;

/** The word a line begins with, and what follows on the line. */
function wordOf(line: string): { isVerified: boolean; rest: string } | null {
  const loose = line.replace(marks, "").replace(looseLabel, "").replace(marks, "");
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

type Approval = { lines: readonly string[]; at: number; rest: string; reason: string };

/** Lines of a preamble before a verdict that is followed by its reason; a verdict on the last line may follow any number. */
const preambleLinesMax = 3;

/** Whether "VERIFIED" is the verdict of the whole answer, and nothing in the answer negates, limits or only reports it. */
function isClear({ lines, at, rest, reason }: Approval): boolean {
  if (hasRefusal(lines.join("\n"))) return false;
  if (hasDoubt(reason) || reason.includes(verifiedExample) || placeholder.test(rest) || continuation.test(rest))
    return false;
  if (lines.some((line) => otherVerdict.test(line.replace(marks, "")))) return false;
  const isAlone = !/\w/u.test(rest);
  if (isAlone && /^\s*\p{Ll}/u.test(lines[at + 1] ?? "")) return false;
  const before = lines.slice(0, at).filter(isText);
  if (before.some((line) => /verified/iu.test(line))) return false;
  const isLast = !lines.slice(at + 1).some(isText);
  if (!isLast && before.length > preambleLinesMax) return false;
  return !isQuotedEvidence(lines, at) && isIntroduced(lines, at);
}

/** A form that was not filled in, in the words of the question or in others. */
const placeholder = /^[\s*_`]*[<[{][^<>[\]{}]*[>\]}][\s*_`.!]*$/u;

/** A line that refuses in a word of the judge's own: there are two verdicts then. */
const otherVerdict =
  /^(?:REJECT(?:ED|ION)?|REFUSED?|DENIED|DECLINED|DISAPPROVED|UNMET|OPEN|BLOCKED|INVALID|INSUFFICIENT)\b/u;

/** A reason that begins so makes "VERIFIED" the subject of a sentence. */
const continuation = /^[\W_]*(?:is|was|are|were|(?:so )?sa(?:ys|id)|according)\b/iu;

const isFence = (line: string): boolean => /^\s*(?:`{3,}|~{3,})\s*[\w-]*\s*$/u.test(line);
const isText = (line: string): boolean => line.trim() !== "" && !isFence(line);

/** Whether the text before the verdict leads to it: its last sentence is complete, without doubt, and no report of others. */
function isIntroduced(lines: readonly string[], at: number): boolean {
  const last = lines.slice(0, at).findLastIndex(isText);
  if (last < 0) return true;
  const line = (lines[last] ?? "").replace(/[\s*_`]+$/u, "");
  const sentence = line.split(/(?<=[.!?。！？])\s+/u).at(-1) ?? "";
  if (hasDoubt(sentence) || isExample(sentence)) return false;
  if (/[.!?…。！？]$/u.test(line)) return true;
  const isListed = /^\s*(?:[#>*+-]|\d{1,2}[.)])/u.test(line);
  if (isListed && last < at - 1) return true;
  return (line.endsWith(":") || isListed || last < at - 1) && !isReport(sentence);
}

/** A fenced word between other words, or below others in its fence, may quote the evidence. */
function isQuotedEvidence(lines: readonly string[], at: number): boolean {
  if (lines.slice(0, at).filter(isFence).length % 2 === 0) return false;
  const open = lines.slice(0, at).findLastIndex(isFence);
  if (lines.slice(open, at).some(isText)) return true;
  const close = lines.findIndex((line, index) => index > at && isFence(line));
  return lines.slice(0, open).some(isText) && close !== -1 && lines.slice(close + 1).some(isText);
}
