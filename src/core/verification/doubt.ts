/**
 * Whether a text negates or limits what it says: a negation, a condition, an exception or a failure. Beside "VERIFIED" such a
 * word can turn the verdict around, and no parser can tell whether it does.
 */
export function hasDoubt(text: string): boolean {
  return doubt.test(text);
}

/** Whether the refusal occurs in a text, in any spelling and over line ends: "NOT_VERIFIED", "not verified", "unverified". */
export function hasRefusal(text: string): boolean {
  return anyRefusal.test(text);
}

/** Whether a text only tells what somebody else says, and so introduces no verdict of its own. */
export function isReport(text: string): boolean {
  return report.test(text);
}

/** Whether a text introduces an example of an answer, or the form of one, and not the answer. */
export function isExample(text: string): boolean {
  return example.test(text);
}

const doubtWords = [
  "not?|non|nor|none|never|nothing|nobody|nowhere|neither|cannot|without|fail\\w*|unless|if|but",
  "except\\w*|however|although|though|until|otherwise|instead|would|could|should|might|may|maybe",
  "perhaps|provided|assuming|partial\\w*|partly|almost|nearly|incomplete\\w*|missing|lack\\w*|pending",
  "unclear|unsure|unable|false|wrong\\w*|untrue|incorrect\\w*|yet|todo",
];
const doubt = new RegExp(`(?<![\\p{L}\\p{N}])(?:${doubtWords.join("|")})(?![\\p{L}\\p{N}])|n['’]t|[❌✗✘✖🚫👎]`, "iu");
const anyRefusal = /(?:not|n['’]t)[^\p{L}\p{N}]*verified|un[\s_-]*verified/iu;
const report =
  /\b(?:agent|program|readme|file|log|output|print\w*|sa(?:y|ys|id)|claim\w*|wr[io]te\w*|reads?|quot\w*|contain\w*)\b/iu;
const answerWords = "(?:answer|response|reply|verdict|output|result)s?";
const exampleWords = "(?:examples?|samples?|template|placeholder|format|form|hypothetical)";
const example = new RegExp(
  `\\b(?:${exampleWords}\\b[^.]{0,20}\\b${answerWords}|${answerWords}\\b[^.]{0,20}\\b${exampleWords})\\b|^\\W*(?:for |an? |one )?(?:example|instance|e\\.g\\.?)\\W*$`,
  "iu",
);
