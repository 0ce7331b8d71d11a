import { argumentsOf, skipToken, statementEnd, type Code, type Edit, type Range } from "./code.ts";
import { falsifyExpected } from "./expected.ts";

/**
 * Changes the literals of calls that look like assertions of somebody's own, `same(initials("Ada"), "A");`: statements whose answer
 * nobody uses, with a value that is computed and one that is written down. Where the assertion is defined does not matter. Calls in
 * which something is changed already are left alone: their other literals are messages.
 */
export function falsifyUnknownCalls(code: Code, known: readonly Edit[]): Edit[] {
  const edits: Edit[] = [];
  const knownFroms = known.map(({ from }) => from).toSorted((one, other) => one - other);
  for (const [index, token] of code.tokens.entries()) {
    if (token.kind !== "word" || !isStatementStart(code, index)) continue;
    const open = callOpen(code, index);
    const name = open === -1 ? "" : (code.tokens[open - 1]?.text ?? "");
    if (open === -1 || noAssertion.test(name) || !endsStatement(code, open)) continue;
    if (hasKnown(code, open, knownFroms)) continue;
    edits.push(...falsifyArguments(code, open, name));
  }
  return edits;
}

/** Calls that prepare something or only tell of it; keywords; and what begins a test. */
const noAssertion =
  /^(?:write|append|mkdir|make|set|add|push|put|create|copy|link|symlink|chmod|register|on|emit|log|info|warn|error|debug|trace|print|mock|stub|spy|use|import|require|load|open|init|start|run|call|apply|wait|sleep|send|post|insert|delete|remove|export|define|if|for|while|switch|catch|return|throw|describe|context|suite|it|test|before|after|setup|each|fetch|spawn|exec)(?:$|[A-Z_(]|Sync$|f$|ln$)/;

/** A literal that is not the first argument, in a call with an argument that is a name or a call. */
function falsifyArguments(code: Code, open: number, name: string): Edit[] {
  const given = argumentsOf(code, open);
  if (given.length < 2 || !given.some((each) => isComputed(code, each))) return [];
  return given.flatMap((each, at) => {
    const edit = at === 0 ? null : falsifyExpected(code, each);
    return edit === null ? [] : [{ ...edit, group: `${name} ${at}` }];
  });
}

/** Whether a known change lies in the brackets of a call; they are sorted. */
function hasKnown(code: Code, open: number, froms: readonly number[]): boolean {
  const [from, to] = [code.tokens[open]?.from ?? 0, code.tokens[code.tokens[open]?.partner ?? -1]?.to ?? 0];
  let [low, high] = [0, froms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((froms[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (froms[low] ?? Infinity) < to;
}

function isComputed(code: Code, { from, to }: Range): boolean {
  const first = code.tokens[from];
  return (
    first?.kind === "word" && !/^(?:true|false|null|None|nil|True|False|function|async)$/.test(first.text) && to > from
  );
}

function isStatementStart(code: Code, index: number): boolean {
  const before = code.tokens[index - 1];
  if (before === undefined || /^[;{}]$|^=>$|^await$/.test(before.text)) return true;
  const isNewLine = before.line < (code.tokens[index]?.line ?? 0);
  return isNewLine && /^[)\]]$|^:$/.test(before.text);
}

/** The bracket of `a.b.same(`; -1: no call begins here. */
function callOpen(code: Code, index: number): number {
  let at = index + 1;
  while (/^(?:\.|::|->)$/.test(code.tokens[at]?.text ?? "") && code.tokens[at + 1]?.kind === "word") at += 2;
  const open = code.tokens[at]?.text === "!" ? at + 1 : at;
  return code.tokens[open]?.text === "(" && (code.tokens[open]?.partner ?? -1) > open ? open : -1;
}

/** Whether nothing is done with what the call answers. */
function endsStatement(code: Code, open: number): boolean {
  const after = skipToken(code, open);
  return after >= code.tokens.length || statementEnd(code, after) === after || isNextLine(code, after);
}

function isNextLine(code: Code, index: number): boolean {
  const [before, token] = [code.tokens[index - 1], code.tokens[index]];
  return token !== undefined && before !== undefined && token.line > before.line && /^[\w@#}]/.test(token.text);
}
