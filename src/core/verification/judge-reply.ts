import { readJudgeAnswer } from "./judge-answer.ts";
import { type JudgeCall, judgeTrouble } from "./judge-trouble.ts";
import { promiseFound } from "./verification-texts.ts";

/** One call of a judge, and what was left for another one. */
export type JudgeReply = {
  call: JudgeCall;
  /** The work tree is another one than before the call. */
  isTreeChanged: boolean;
  /** Counted from 1, and how many there may be. */
  number: number;
  triesMax: number;
  /** What the settings say when the tries are used up. */
  onJudgeError: "wait" | "reject" | "string_match";
  /** Whether a try after this wait begins in time. */
  hasTimeFor(waitMs: number): boolean;
};

/** What follows: a verdict, the end of the run for now, or another try after a wait. `remark` is for people. */
export type AfterReply = { words: string | null; remark: string | null } & (
  | { kind: "verdict"; isPassed: boolean; reason: string; isFallback: boolean }
  | { kind: "stop"; name: "failed" | "waiting"; reason: string }
  | { kind: "again"; waitMs: number; isReminded: boolean }
);

/** Before the second try and before each later one: a hiccup of the network, then a short outage. */
const waitsMs = [5000, 30_000] as const;

/**
 * What follows from the reply of a judge. Its trouble says nothing about the work: then the settings decide. Trouble that no
 * further call can mend ends it at once (CW-2J).
 */
export function afterReply(reply: JudgeReply): AfterReply {
  const { call, number, triesMax } = reply;
  const nothing = { words: null, remark: null };
  // Its edits were seen by no guardrail: whatever it answers, this tree is not the one that was claimed.
  if (reply.isTreeChanged)
    return { ...nothing, ...verdict(false, "The judge changed the work tree; its answer does not count") };
  const answer = call.answer === null ? null : readJudgeAnswer(call.answer);
  if (answer !== null) return { ...nothing, ...verdict(answer.isVerified, answer.reason) };
  const trouble = judgeTrouble(call);
  const words = trouble.words.replace(/\.+$/, "");
  if (trouble.isLasting)
    return {
      kind: "stop",
      name: "failed",
      reason: `The judge cannot be asked: ${words}. See verification.judge.`,
      words,
      remark: null,
    };
  const waitMs = waitsMs[number - 1] ?? waitsMs[1];
  // A try that could only begin after the deadline is skipped.
  if (number >= triesMax || !reply.hasTimeFor(waitMs)) {
    const tries = number === 1 ? "1 try" : `${number} tries`;
    const reason = `The judge gave no usable answer in ${tries}; it said last: ${words}`;
    return { words, remark: `${reason}.`, ...withoutAnswer(reason, reply.onJudgeError) };
  }
  const remark = `The judge gave no usable answer (try ${number} of ${triesMax}); it is asked again in ${waitMs / 1000} s. It said: ${words}`;
  return { kind: "again", waitMs, isReminded: call.answer !== null, words, remark };
}

/** The tries are used up: the settings say what that means. */
function withoutAnswer(reason: string, onJudgeError: JudgeReply["onJudgeError"]) {
  switch (onJudgeError) {
    case "wait":
      return { kind: "stop" as const, name: "waiting" as const, reason: `${reason}.` };
    case "reject":
      return verdict(false, reason);
    case "string_match":
      return verdict(true, promiseFound, true);
  }
}

function verdict(isPassed: boolean, reason: string, isFallback = false) {
  return { kind: "verdict" as const, isPassed, reason, isFallback };
}
