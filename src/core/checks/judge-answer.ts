import { verifiedExample } from "./judge-prompt.ts";

/** What a judge said, or null when it said neither of the two words it was asked for. */
export type JudgeAnswer = { isVerified: boolean; reason: string } | null;

/**
 * Reads a judge's answer: its first line that is not blank must begin with one of the two words, as they were asked for:
 * neither in lower case nor in emphasis. The refusal is looked for first, since it contains the other word (CW-2J). An
 * answer that says both, as one that only repeats the question does, says nothing.
 */
export function readJudgeAnswer(text: string): JudgeAnswer {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== "");
  const [, word, rest = ""] = /^\s*(NOT_VERIFIED|VERIFIED)(?![\w?/-])\s*:?(.*)$/.exec(line ?? "") ?? [];
  if (word === undefined || (word === "VERIFIED" && isContradicted(text, rest))) return null;
  const following = text.slice(text.indexOf(line ?? "") + (line ?? "").length).trim();
  const reason = [rest.trim(), following].filter((part) => part !== "").join("\n");
  return { isVerified: word === "VERIFIED", reason: reason === "" ? "no reason given" : reason };
}

function isContradicted(text: string, rest: string): boolean {
  return rest.includes("NOT_VERIFIED") || /^\W*NOT_VERIFIED\b/m.test(text) || rest.trim() === verifiedExample;
}
