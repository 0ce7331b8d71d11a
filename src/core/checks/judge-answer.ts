/** What a judge said, or null when it said neither of the two words it was asked for. */
export type JudgeAnswer = { isVerified: boolean; reason: string } | null;

/**
 * Reads a judge's answer: its first line that is not blank must begin with one of the two words. The refusal is looked
 * for first, since it contains the other word (CW-2J).
 */
export function readJudgeAnswer(text: string): JudgeAnswer {
  const line = text.split("\n").find((each) => each.trim() !== "");
  const [, word, rest = ""] = /^\s*(NOT_VERIFIED|VERIFIED)\b\s*:?(.*)$/.exec(line ?? "") ?? [];
  if (word === undefined) return null;
  const following = text.slice(text.indexOf(line ?? "") + (line ?? "").length).trim();
  const reason = [rest.trim(), following].filter((part) => part !== "").join("\n");
  return { isVerified: word === "VERIFIED", reason: reason === "" ? "no reason given" : reason };
}
