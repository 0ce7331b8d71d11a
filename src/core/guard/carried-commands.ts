import { isObject } from "../text/is-object.ts";
import { quoteWord } from "./carried-code.ts";

/**
 * The command lines in the input of a tool that nobody listed, by the names of its fields; at any depth, since tools of
 * others wrap their arguments. A list of words becomes a line that a shell reads as these words.
 */
export function commandsIn(tool: string, input: unknown, depth = 0): string[] {
  if (depth > depthMax) return [];
  if (Array.isArray(input)) return input.slice(0, fieldsMax).flatMap((each) => commandsIn(tool, each, depth + 1));
  if (!isObject(input)) return [];
  const args = wordsOf(input["args"] ?? input["arguments"]);
  const fields = isOfShell(tool, input) ? [commandFields, codeFields] : [commandFields];
  const found = Object.entries(input)
    .slice(0, fieldsMax)
    .map(([field, value]) => {
      const lines = fields.some((names) => names.test(field)) ? linesOf(field, value, args) : [];
      return { lines, inner: lines.length > 0 ? [] : commandsIn(tool, value, depth + 1) };
    });
  // Words that belong to no command are one themselves.
  const isAlone = args.length > 0 && found.every(({ lines }) => lines.length === 0);
  return [...(isAlone ? [lineOf(args)] : []), ...found.flatMap(({ lines, inner }) => [...lines, ...inner])];
}

/** What is typed into a terminal: text and keys, with a new line for the key that sends it. */
export function typedTexts(tool: string, input: unknown, depth = 0): string[] {
  if (depth > depthMax || !isTerminal.test(tool)) return [];
  if (Array.isArray(input)) return input.slice(0, fieldsMax).flatMap((each) => typedTexts(tool, each, depth + 1));
  if (!isObject(input)) return [];
  return Object.entries(input)
    .slice(0, fieldsMax)
    .flatMap(([field, value]) => {
      if (!typedFields.test(field)) return typedTexts(tool, value, depth + 1);
      const text = typeof value === "string" ? value : wordsOf(value).join(" ");
      return [text.replaceAll(sendingKeys, "\n")];
    });
}

/** Whether the name of a tool promises a shell: a line that cannot be read is refused then. */
export function isShellName(tool: string): boolean {
  return /bash|shell|terminal|exec|command|console|\brun|_run|powershell/i.test(tool);
}

/** `execute` runs code of any language: only a shell, by the tool's name or by the language it is asked for, reads code as commands. */
function isOfShell(tool: string, input: Record<string, unknown>): boolean {
  const language = ["language", "lang", "interpreter", "runtime", "shell"].map((field) => input[field]);
  return isTerminal.test(tool) || language.some((name) => typeof name === "string" && isTerminal.test(name));
}

/** `commands: ["a b", "c d"]` are lines, `argv: ["a", "b"]` is one. */
function linesOf(field: string, value: unknown, args: readonly string[]): string[] {
  if (typeof value === "string") return [[value, ...args.map(quoteWord)].join(" ")];
  const words = wordsOf(value);
  if (words.length === 0) return [];
  return /s$/i.test(field) ? words : [lineOf(words)];
}

function lineOf(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : [];
}

const commandFields =
  /^(?:argv|shell|exec|run|program|executable|(?:\w+[_-]|bash|shell)?(?:commands?|cmds?|scripts?|bash)(?:[_-]?(?:lines?|strings?|text))?|\w+(?:Command|Cmd|Script)s?)$/i;
/** Fields that hold commands when a shell reads them. */
const codeFields = /^(?:code|lines?|source|snippet|statements?)$/i;
const typedFields = /^(?:keys|keystrokes|text|input|data|chars|stdin|send|content)$/i;
/** How tools spell the key that sends a line; a carriage return is what a terminal gets. */
const sendingKeys = /\r\n?|\\[rn]|<(?:enter|cr|return)>|\{enter\}|(?:^| )(?:enter|return|c-m)(?= |$)/gi;
const isTerminal = /bash|zsh|shell|terminal|console|tmux|pwsh|(?:^|[_-])(?:sh|pty|tty|screen|repl|stdin)(?:[_-]|$)/i;
/** Tools wrap their arguments a few times at most, and have few of them. */
const depthMax = 4;
const fieldsMax = 200;
