import { outerTokens, skipToken, type Code, type Edit, type Found, type Range } from "./code.ts";
import { makeTrue } from "./condition.ts";
import { mentions, type Subject } from "./equality.ts";

/** How a language fails in a branch, and what else makes a condition true. */
export type FailingIf = {
  failsIn: (code: Code, body: Range) => boolean;
  turn?: (code: Code, condition: Range) => Edit | null;
};

/** `if (got != 3) { … return 1; }` of languages with brackets: a body that fails is made to run. */
export function findFailingIf(subject: Subject, index: number, { failsIn, turn }: FailingIf): Found | null {
  const { code } = subject;
  const close = code.tokens[index + 1]?.partner ?? -1;
  if (code.tokens[index + 1]?.text !== "(" || close <= index) return null;
  const condition = { from: index + 2, to: close };
  if (!failsIn(code, bodyOf(code, close + 1))) return null;
  const edit = turn?.(code, condition) ?? makeTrue(code, condition);
  const isKept = edit === null || edit.isLiteral || !mentions(subject, condition);
  return { edit: isKept ? edit : null, to: close + 1 };
}

/** What an `if` does: what stands in its brackets, or its one statement. */
export function bodyOf(code: Code, from: number): Range {
  if (code.tokens[from]?.text === "{") return { from: from + 1, to: skipToken(code, from) - 1 };
  let to = from;
  while (to < code.tokens.length && to < from + 60 && code.tokens[to]?.text !== ";") to = skipToken(code, to);
  return { from, to };
}

/** `failed++`, `failures += 1`, `errors = …`: what hand-written checks count. */
export function countsFailure(code: Code, index: number): boolean {
  const after = code.tokens[index + 1]?.text ?? "";
  return /^(?:fail|failed|failures|errors)\w*$/.test(code.tokens[index]?.text ?? "") && /^(?:\+\+|\+=|=)$/.test(after);
}

/** Whether a branch of JavaScript throws, or ends the process with a failure. */
export function failsInJavaScript(code: Code, body: Range): boolean {
  return outerTokens(code, body).some(({ token, index }) => {
    if (token.text === "throw") return true;
    if (token.text !== "exit" && token.text !== "exitCode") return countsFailure(code, index);
    return code.tokens[index - 2]?.text === "process" && /^[1-9]\d*$/.test(code.tokens[index + 2]?.text ?? "");
  });
}
