import { truncateText } from "../text/truncate.ts";
import { cleanLine } from "../text/clean-text.ts";

/** Why a call to a judge gave no usable answer. */
export type JudgeTrouble = {
  /** Another call would end the same way: no such program, a refused key, an unknown model. */
  isLasting: boolean;
  /** The judge's last words, or how it ended without any: one clean line. */
  words: string;
};

/** How the call of a judge ended. */
export type JudgeCall = {
  answer: string | null;
  startError: { kind: string; message: string } | null;
  isTimedOut: boolean;
  exitCode: number | null;
  output: string;
  errorOutput: string;
};

/** Length of a reason: enough for a program's error message. */
const wordsCharsMax = 300;

/** A program reports the cause of its failure in its last lines. */
const lastLinesMax = 3;

/**
 * Separates permanent problems from temporary ones. It reads only the last lines of a program that failed: answers, and
 * the output of a program that succeeds, are never searched.
 */
export function judgeTrouble(call: JudgeCall): JudgeTrouble {
  const { answer, startError, isTimedOut, exitCode } = call;
  // A lack of processes or memory is temporary; a missing program is not.
  if (startError !== null) return { isLasting: startError.kind !== "resources", words: clean(startError.message) };
  if (isTimedOut) return { isLasting: false, words: "it did not answer in time (verification.timeout)" };
  if (answer !== null) return { isLasting: false, words: clean(answer) || "nothing" };
  const last = [...lastLines(call.errorOutput), ...lastLines(call.output)];
  const [own = ""] = [lastLines(call.errorOutput), lastLines(call.output)]
    .map((lines) => lines.join(" "))
    .filter(Boolean);
  const how = exitCode === null ? "it was ended by a signal" : `it ended with exit code ${exitCode}`;
  return { isLasting: last.some(isLasting), words: clean(own) || how };
}

/** A limit is temporary, even if the program advises to sign in with another account. */
const passing = /\b429\b|rate.?limit|usage limit|limit reached|quota|overloaded|too many requests/iu;

/** How known agents report a missing sign-in or a refused key. */
const signIn =
  /\b401\b|unauthori[sz]ed|\bauthenticat|\bapi[ _-]?key\b|\bkey (?:was |is )?(?:refused|invalid|not valid|expired|revoked)|\bnot (?:logged|signed) in\b|\/login\b|\b(?:log|sign) in\b|\bcredentials?\b/iu;

/** How they report an unknown model, or one the account may not use. */
const model =
  /\bmodels?\b.{0,120}\b(?:not found|not exist|not supported|not available|is unknown|is invalid)\b|\b(?:no such|unknown|invalid|unsupported) model\b|\bmodel_not_found\b/iu;

function isLasting(line: string): boolean {
  return !passing.test(line) && (signIn.test(line) || model.test(line));
}

function lastLines(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lastLinesMax);
}

function clean(text: string): string {
  return truncateText(cleanLine(text).trim(), wordsCharsMax, "head");
}
