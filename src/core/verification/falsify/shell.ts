import { scanShell, type ShellToken } from "../syntax/scan-shell.ts";
import type { TestBlock } from "./blocks.ts";
import type { Edit } from "./code.ts";

/** Makes the checks of a shell or bats test false: `[ … ]`, `test`, `grep -q`, `diff`, bats and shunit2 assertions. */
export function falsifyShell(text: string): Edit[] {
  const tokens = scanShell(text);
  const helpers = new Set(
    Array.from(text.matchAll(/^[ \t]*(?:function[ \t]+)?([\w-]+)[ \t]*\(\)/gm), ([, name]) => name ?? ""),
  );
  return tokens.flatMap((_, index) => {
    if (!isCommand(tokens, index)) return [];
    return falsifyCommand(tokens, index) ?? falsifyHelperCall(wordsFrom(tokens, index), helpers) ?? [];
  });
}

/** `check "two letters" "$(initials "Ada Lovelace")" "AL"` with a function of the script: its last word is what is expected. */
function falsifyHelperCall(words: readonly ShellToken[], helpers: ReadonlySet<string>): Edit | null {
  const [command] = words;
  const last = words.at(-1);
  if (command === undefined || last === undefined || words.length < 3 || !helpers.has(command.text)) return null;
  if (!isLiteral(last) || !words.slice(1, -1).some(({ isExpanded }) => isExpanded)) return null;
  return { ...edit(last, otherWord(last, false), true), group: `${command.text} ${words.length - 1}` };
}

/** Whether a file is a script of a shell, by its name or its first line. */
export function isShellFile(path: string, text: string): boolean {
  return /\.(?:sh|bash|bats|zsh|ksh)$/.test(path) || /^#!.{0,40}\b(?:ba|z|k|da)?sh\b/.test(text);
}

/** Turns the `[ … ]` around in which a literal was changed; null: the literal stands in no comparison. */
export function invertShell(text: string, { from }: Pick<Edit, "from">): Edit | null {
  const tokens = scanShell(text);
  const at = tokens.findIndex((token) => token.from <= from && from <= token.to && token.kind === "word");
  const sign = [tokens[at - 1], tokens[at + 1]].find((token) => token !== undefined && operators.has(token.text));
  return sign === undefined ? null : edit(sign, operators.get(sign.text) ?? sign.text, false);
}

/** Whether a word is where a command begins. */
function isCommand(tokens: readonly ShellToken[], index: number): boolean {
  const before = tokens[index - 1];
  if (tokens[index]?.kind !== "word") return false;
  if (before === undefined || (before.kind === "operator" && !/[<>]/.test(before.text))) return true;
  return /^(?:if|elif|while|until|then|else|do|!|\{|time)$/.test(before.text);
}

function falsifyCommand(tokens: readonly ShellToken[], index: number): Edit | null {
  const words = wordsFrom(tokens, index);
  const [command] = words;
  if (command === undefined) return null;
  if (/^(?:\[|\[\[|test)$/.test(command.text)) return falsifyTest(tokens, index, words);
  if (/^(?:diff|cmp)$/.test(command.text)) return insert(command.to, " --falsified", command.line);
  if (/^[ef]?grep$/.test(command.text)) return falsifyGrep(words);
  const opposite = opposites.get(command.text);
  if (opposite !== undefined) return edit(command, opposite, false);
  if (!/^assert(?:_equal|_output|_line|Equals|Same)$|^assertContains$/.test(command.text)) return null;
  const literal = words.slice(1).findLast((word) => isLiteral(word) && !word.text.startsWith("-"));
  return literal === undefined ? null : edit(literal, otherWord(literal, false), true);
}

const opposites = new Map([
  ["assert_success", "assert_failure"],
  ["assert_failure", "assert_success"],
  ["refute_output", "assert_output"],
  ["assertTrue", "assertFalse"],
  ["assertFalse", "assertTrue"],
]);

function wordsFrom(tokens: readonly ShellToken[], index: number): ShellToken[] {
  const isDouble = tokens[index]?.text === "[[";
  let to = index;
  while (to < Math.min(tokens.length, index + 200)) {
    const token = tokens[to];
    if (token === undefined || token.text === "\n" || (token.kind === "operator" && !isDouble)) break;
    to += 1;
    if (token.text === "]]" || token.text === "]") break;
  }
  return tokens.slice(index, to);
}

/** `[ left operator right ]`: by its literal where that gives the wanted answer, else by the opposite operator. */
function falsifyTest(tokens: readonly ShellToken[], index: number, words: readonly ShellToken[]): Edit | null {
  const isWanted = isFailing(tokens, index);
  const at = words.findIndex(({ text }) => operators.has(text));
  const [sign, left, right] = [words[at], words[at - 1], words[at + 1]];
  if (sign === undefined || right === undefined || words.some(({ text }) => /^(?:-o|-a|\|\||&&)$/.test(text)))
    return null;
  const isUnary = /^-[zn]$/.test(sign.text);
  const isEquality = /^(?:==?|-eq)$/.test(sign.text);
  const isInequality = /^(?:!=|-ne)$/.test(sign.text);
  const isNumber = sign.text.startsWith("-");
  if (!isUnary && (isWanted ? isInequality : isEquality)) {
    const literal = [right, left].find((word) => word !== undefined && isLiteral(word));
    if (literal !== undefined) return edit(literal, otherWord(literal, isNumber), true);
    if (!isNumber && right.isExpanded) return edit(right, `"falsified${right.from}"`, false);
  }
  return edit(sign, operators.get(sign.text) ?? sign.text, false);
}

const operators = new Map([
  ["=", "!="],
  ["==", "!="],
  ["!=", "="],
  ["-eq", "-ne"],
  ["-ne", "-eq"],
  ["-lt", "-ge"],
  ["-ge", "-lt"],
  ["-gt", "-le"],
  ["-le", "-gt"],
  ["-z", "-n"],
  ["-n", "-z"],
]);

/** Whether the test fails when the condition holds: `if … then` with a failing body, or `&& exit 1`. */
function isFailing(tokens: readonly ShellToken[], index: number): boolean {
  let at = index;
  while (at < tokens.length && tokens[at]?.kind === "word") at += 1;
  const before = tokens[index - 1]?.text ?? "";
  const isNegated = before === "!";
  const head = isNegated ? (tokens[index - 2]?.text ?? "") : before;
  if (!/^(?:if|elif)$/.test(head)) return tokens[at]?.text === "&&" && failsSoon(tokens, at + 1);
  while (at < tokens.length && tokens[at]?.text !== "then" && at < index + 200) at += 1;
  return failsSoon(tokens, at + 1) !== isNegated;
}

/** Whether a branch ends with a failure before it ends. */
function failsSoon(tokens: readonly ShellToken[], from: number): boolean {
  for (let at = from; at < Math.min(tokens.length, from + 60); at += 1) {
    const text = tokens[at]?.text ?? "";
    if (/^(?:else|elif|fi|\})$/.test(text)) return false;
    if (/^(?:exit|return)$/.test(text)) return /^[1-9]/.test(tokens[at + 1]?.text ?? "");
    if (/^(?:fail|false|die|failed=.*|status=1|FAIL\w*=.*|failures=.*|rc=1)$/.test(text)) return true;
  }
  return false;
}

function falsifyGrep(words: readonly ShellToken[]): Edit | null {
  const isQuiet = words.some(({ text }) => /^-\w*[qcx]/.test(text) || text === "--quiet");
  const pattern = words.slice(1).find(({ text }) => !text.startsWith("-"));
  if (!isQuiet || pattern === undefined) return null;
  return edit(pattern, isLiteral(pattern) ? otherWord(pattern, false) : "falsified", isLiteral(pattern));
}

/** A word that stands for itself, or a pattern around a text in quotes. */
function isLiteral(word: ShellToken): boolean {
  return (!word.isExpanded || /^[*?]*(["'])[^$`"']+\1[*?]*$/.test(word.text)) && word.kind === "word";
}

function otherWord(word: ShellToken, isNumber: boolean): string {
  const bare = word.text.replaceAll(/["']/g, "");
  if (isNumber && /^-?\d{1,12}$/.test(bare)) return String(Number(bare) + 1003);
  const quote = Math.max(word.text.lastIndexOf('"'), word.text.lastIndexOf("'"));
  const at = quote > 0 ? quote : word.text.length;
  return `${word.text.slice(0, at)}-falsified${word.from}${word.text.slice(at)}`;
}

function edit(token: ShellToken, text: string, isLiteralEdit: boolean): Edit {
  return { from: token.from, to: token.to, text, line: token.line, isLiteral: isLiteralEdit };
}

function insert(at: number, text: string, line: number): Edit {
  return { from: at, to: at, text, line, isLiteral: false };
}

/** `@test "name" { … }` of bats, and functions whose name begins with `test`, to the line with their closing brace. */
export function shellBlocks(text: string): TestBlock[] {
  const blocks: TestBlock[] = [];
  let open: TestBlock | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const found =
      /^\s*@test\s+(["'])(.*)\1\s*\{/.exec(line)?.[2] ?? /^(?:function\s+)?(test\w*)\s*(?:\(\))?\s*\{/.exec(line)?.[1];
    if (found !== undefined) {
      open = { name: found, suites: [], fromLine: index + 1, toLine: index + 1 };
      blocks.push(open);
    }
    if (open !== null) open.toLine = index + 1;
    if (/^\}|\}\s*$/.test(line) && !(found !== undefined && !/\}\s*$/.test(line)) && /^\s{0,1}\}|\{.*\}\s*$/.test(line))
      open = null;
  }
  return blocks;
}
