import { isCount } from "./loop-state.ts";
import type { StartLoopOptions } from "./loop-config.ts";

/**
 * What `/ralph …` asks for.
 *
 * @example
 * ```ts
 * import { type LoopCommand, parseLoopCommand } from "ralph";
 *
 * const command: LoopCommand | string = parseLoopCommand('/ralph "Fix the tests"');
 * console.log(typeof command === "string" ? command : command.prompt); // Fix the tests
 * ```
 */
export type LoopCommand = { prompt: string; options: StartLoopOptions };

/**
 * Reads the arguments of `/ralph "task" [--max-iterations=N] [--completion-promise=TEXT]` (S0-40); a text says what is
 * wrong with them. Both options also take their value after a space, in quotes where it has several words.
 *
 * @example
 * ```ts
 * import { parseLoopCommand } from "ralph";
 *
 * const command = parseLoopCommand('/ralph "Fix all errors" --max-iterations=25 --completion-promise=ALL_FIXED');
 * if (typeof command !== "string") console.log(command.prompt, command.options.maxIterations); // Fix all errors 25
 * ```
 */
export function parseLoopCommand(line: string): LoopCommand | string {
  const given = line.trim().replace(/^\/(?:ralph:)?ralph(?=\s|$)/, "");
  const words = splitWords(given);
  if (typeof words === "string") return words;
  const task: Word[] = [];
  const options: StartLoopOptions = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (word.isQuoted || !word.text.startsWith("--")) {
      task.push(word);
      continue;
    }
    const [name = "", ...rest] = word.text.split("=");
    const value = word.text.includes("=") ? rest.join("=") : words[(index += 1)]?.text;
    const problem = setOption(options, name, value);
    if (problem !== null) return problem;
  }
  const prompt = taskOf(given, task);
  return prompt === "" ? `No task was given. Usage: ${loopCommandUsage}` : { prompt, options };
}

/**
 * How `/ralph` is used.
 *
 * @example
 * ```ts
 * import { loopCommandUsage } from "ralph";
 *
 * console.log(`Usage: ${loopCommandUsage}`);
 * ```
 */
export const loopCommandUsage = '/ralph "task description" [--max-iterations=N] [--completion-promise=TEXT]';

function setOption(options: StartLoopOptions, name: string, value: string | undefined): string | null {
  if (!optionNames.includes(name)) return `There is no option ${name}. Usage: ${loopCommandUsage}`;
  if (value === undefined || value.trim() === "") return `${name} needs a value. Usage: ${loopCommandUsage}`;
  if (name === "--completion-promise") {
    options.completionPromise = value;
    return null;
  }
  const count = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!isCount(count)) return `${name} is "${value}", expected a whole number of at least 1.`;
  options.maxIterations = count;
  return null;
}

const optionNames = ["--max-iterations", "--maximum-iterations", "--completion-promise"];

type Word = { text: string; isQuoted: boolean; from: number; to: number };

/** One quoted word is the task; several words are it as they were written, line ends and all. */
function taskOf(line: string, words: readonly Word[]): string {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return "";
  if (words.length === 1) return first.text.trim();
  const isOnePiece = words.every(
    (word, index) => index === 0 || /^\s*$/.test(line.slice(words[index - 1]?.to, word.from)),
  );
  return (isOnePiece ? line.slice(first.from, last.to) : words.map(({ text }) => text).join(" ")).trim();
}

/** Words at white space. Quotes at the begin of a word or of an option's value keep it together; `\\"` is a quote there. */
function splitWords(line: string): Word[] | string {
  const words = [...line.matchAll(wordPattern)].map(({ 0: word, 1: option = "", 2: double, 3: single, index }) => ({
    text: option + (double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? word.slice(option.length)),
    isQuoted: option === "" && (double !== undefined || single !== undefined),
    from: index,
    to: index + word.length,
  }));
  const open = words.find(({ text, isQuoted }) => !isQuoted && /^(?:--[\w-]+=)?["']/.test(text));
  return open === undefined ? words : `A quote is not closed at ${open.text}. Usage: ${loopCommandUsage}`;
}

const wordPattern = /(--[\w-]+=)?(?:"((?:\\[^]|[^"\\])*)"|'([^']*)')(?=\s|$)|\S+/g;

/** The commands as a plugin has them, with and without its name before them. */
const commandPattern = /^\/(?:ralph:)?(ralph|cancel-ralph|ralph-status)(?=\s|$)/;

/** The command of ralph that a person typed; null: none. */
export function loopCommandIn(line: string): string | null {
  return commandPattern.exec(line.trimStart())?.[1] ?? null;
}

/** Whether one of these lines ends the loop: a command typed while the agent works waits until the turn has ended (S0-42). */
export function isCancelAsked(lines: readonly string[]): boolean {
  return lines.some((line) => loopCommandIn(line) === "cancel-ralph");
}
