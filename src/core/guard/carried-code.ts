import { isObject } from "../text/is-object.ts";

/** A text that a tool may run, and the interpreter that would read it as code. */
export type CarriedCode = { text: string; interpreter: string };

/**
 * The texts in the input of a tool whose name promises to run something: under any field name but those that describe. At
 * any depth, since tools of others wrap their arguments.
 */
export function codeIn(tool: string, input: unknown): CarriedCode[] {
  const words = wordsOf(tool.split("__").at(-1) ?? tool);
  if (!words.some((word) => running.test(word)) || words.some((word) => looking.test(word))) return [];
  const language = isObject(input)
    ? ["language", "lang", "interpreter", "runtime", "kernel"].map((name) => input[name])
    : [];
  const names = [...language.filter((name) => typeof name === "string").flatMap(wordsOf), ...words];
  const interpreter = names.find((name) => ticking.test(name)) ?? "node";
  return textsIn(input, 0).map((text) => ({ text: withoutMagic(text), interpreter }));
}

/** A program and its words under names of their own: `{ path: "/bin/rm", args: ["-rf", "/"] }`. */
export function programLines(input: unknown): string[] {
  if (!isObject(input)) return [];
  const args = input["args"] ?? input["arguments"];
  if (!Array.isArray(args) || !args.every((word) => typeof word === "string")) return [];
  return ["path", "file", "binary", "bin", "app", "name"]
    .map((field) => input[field])
    .filter((value) => typeof value === "string")
    .map((program) => [program, ...args].map((word) => quoteWord(word)).join(" "));
}

/** A word as a shell reads it again. */
export function quoteWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function textsIn(input: unknown, depth: number): string[] {
  if (depth > depthMax) return [];
  if (typeof input === "string") return [input];
  if (Array.isArray(input)) return input.slice(0, fieldsMax).flatMap((each) => textsIn(each, depth + 1));
  if (!isObject(input)) return [];
  return Object.entries(input)
    .slice(0, fieldsMax)
    .flatMap(([field, value]) => (describing.test(field) ? [] : textsIn(value, depth + 1)));
}

/** Cells of a notebook: `!cmd` and `%%bash`. */
function withoutMagic(text: string): string {
  return text.replace(/^%%(?:bash|sh|script[ \t]+\w+)[^\n]*\n/, "").replaceAll(/^[!%][ \t]*(?=\w)/gm, "");
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, nameCharsMax)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[^a-z]+/);
}

const running =
  /^(?:bash|zsh|sh|shell|terminal|console|exec|execute|commands?|cmd|run|runner|eval|evaluate|invoke|spawn|process|ssh|python|node|js|javascript|typescript|ruby|perl|php|repl|jupyter|ipython|powershell|pwsh|interpreter)$/;
const looking =
  /^(?:search|docs?|documentation|lint|format|review|find|lookup|explain|comment|issue|edit|write|create)$/;
const describing =
  /^(?:description|title|name|label|reason|explanation|purpose|summary|intent|message|comment|filter|pattern|grep|language|lang|cwd|workdir|working_?directory|id|\w+_id|session)$/i;
/** Languages in which backquotes run a command. */
const ticking = /^(?:ruby|perl|php|julia)$/;
/** Tools wrap their arguments a few times at most, and have few of them. */
const depthMax = 4;
const fieldsMax = 200;
const nameCharsMax = 200;
