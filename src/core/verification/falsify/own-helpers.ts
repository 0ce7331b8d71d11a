import { argumentsOf, skipToken, type Code } from "./code.ts";
import { falsifyExpected } from "./expected.ts";
import { isExpectedName, type NamedEdits } from "./named-values.ts";
import { namesIn } from "./rows.ts";

/** Changes what tests hand to a helper of their own file, `check(given, 3)`, when its parameter is named `expected`. */
export function falsifyHelperCalls(code: Code): NamedEdits {
  const helpers = findHelpers(code);
  const found: NamedEdits = { edits: [], names: new Set() };
  if (helpers.size === 0) return found;
  for (const [index, token] of code.tokens.entries()) {
    const column = token.kind === "word" ? helpers.get(token.text) : undefined;
    if (column === undefined || code.tokens[index + 1]?.text !== "(" || isDefinition(code, index)) continue;
    const given = argumentsOf(code, index + 1)[column.index];
    const edit = given === undefined ? null : falsifyExpected(code, given);
    if (edit === null) continue;
    found.edits.push(edit);
    found.names.add(column.name);
  }
  return found;
}

type Column = { name: string; index: number };

/** `function check(a, expected)`, `const check = (a, expected) =>`, `def check(a, expected)`, `fn check(a: A, expected: B)`. */
function findHelpers(code: Code): Map<string, Column> {
  const helpers = new Map<string, Column>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word") continue;
    const open = parametersOpen(code, index);
    if (open === -1) continue;
    const names = namesIn(code, { from: open, to: skipToken(code, open) });
    const isMethod = names[0] === "self";
    const at = names.findIndex(isExpectedName);
    if (at !== -1) helpers.set(token.text, { name: names[at] ?? "", index: isMethod ? at - 1 : at });
  }
  return helpers;
}

function parametersOpen(code: Code, index: number): number {
  if (isDefinition(code, index) && code.tokens[index + 1]?.text === "(") return index + 1;
  if (code.tokens[index + 1]?.text !== "=") return -1;
  let open = index + 2;
  if (code.tokens[open]?.text === "async") open += 1;
  if (code.tokens[open]?.text === "function") open += 1;
  return code.tokens[open]?.text === "(" && /^(?:=>|:|\{)$/.test(code.tokens[skipToken(code, open)]?.text ?? "")
    ? open
    : -1;
}

function isDefinition(code: Code, index: number): boolean {
  return /^(?:function|def|func|fn|fun|void)$/.test(code.tokens[index - 1]?.text ?? "");
}
