import { parseScript } from "../../guard/syntax/parse-script.ts";
import type { Command, Redirect, Script, Word } from "../../guard/syntax/script.ts";
import { isObject } from "../../text/is-object.ts";
import { codeTakers, comparers, expectedName, interpreters, scriptRunners } from "./check-programs.ts";

/** What is asked about a tree: its files, and the text of the few that are manifests. */
export type NamingTree = {
  has(path: string): boolean;
  /** The text of `package.json` at a path; null when there is none. */
  manifest(path: string): string | null;
};

/** Commands of checks and modules of `custom` verifications; `directory` is the project inside of the tree, or empty. */
export type Checks = { commands: readonly string[]; modules: readonly string[]; directory: string };

/** More words than any command has that a person wrote. */
const stepsMax = 20_000;

/**
 * The files of the tree that checks name: scripts they start, data they compare with, modules they load. Scripts of a manifest are
 * followed one level. What a command only compiles, lints or feeds into a comparison is the code under test, and is not named.
 */
export function namedFiles(checks: Checks, tree: NamingTree): string[] {
  const found = new Set<string>();
  const add = (path: string | null): void => {
    if (path !== null && tree.has(path)) found.add(path);
  };
  for (const module of checks.modules) for (const path of candidatesOf(module, checks.directory)) add(path);
  for (const command of checks.commands) {
    const words = readCommand(command, checks.directory);
    for (const path of words.paths) add(path);
    for (const script of words.scripts) {
      const text = scriptText(tree, script);
      if (text === null) continue;
      for (const path of readCommand(text, script.directory).paths) add(path);
    }
  }
  return [...found].toSorted();
}

/** The first words of commands: what is looked for on PATH. Scripts of a manifest are followed one level. */
export function firstWords(checks: Pick<Checks, "commands" | "directory">, tree: NamingTree): string[] {
  const found = new Set<string>();
  for (const command of checks.commands) {
    const words = readCommand(command, checks.directory);
    for (const name of words.programs) found.add(name);
    for (const script of words.scripts) {
      const text = scriptText(tree, script);
      for (const name of text === null ? [] : readCommand(text, script.directory).programs) found.add(name);
    }
  }
  return [...found];
}

type ScriptCall = { name: string; directory: string };
type Read = { paths: string[]; scripts: ScriptCall[]; programs: string[] };
/** Where a command stands; `isInput`: its output is what another one looks at. */
type Place = { directory: string; isInput: boolean };

function readCommand(text: string, directory: string): Read {
  const read: Read = { paths: [], scripts: [], programs: [] };
  const { script } = parseScript(text, { stepsLeft: stepsMax, depth: 0, failure: null });
  readScript(script, { directory, isInput: false }, read);
  return read;
}

function readScript(script: Script, place: Place, read: Read): void {
  let { directory } = place;
  for (const { commands } of script) {
    for (const [index, command] of commands.entries()) {
      const isInput = place.isInput || index < commands.length - 1;
      const moved = readOne(command, { directory, isInput }, read);
      if (commands.length === 1) directory = moved;
    }
  }
}

/** Returns where the next command stands: `cd` moves it. */
function readOne(command: Command, place: Place, read: Read): string {
  if (command.type === "simple") {
    readRedirects(command.redirects, place, read);
    for (const word of command.words) readInner(word, place, read);
    for (const { values } of command.assignments) for (const word of values) readInner(word, place, read);
    return readWords(command.words.map(textOf), place, read);
  }
  if (command.type === "function") readOne(command.body, place, read);
  if (command.type === "group") readScript(command.body, place, read);
  if (command.type === "branch") for (const part of command.parts) readScript(part, place, read);
  if (command.type === "loop") for (const part of [command.condition, command.body]) readScript(part, place, read);
  return place.directory;
}

function readRedirects(redirects: readonly Redirect[], { directory }: Place, read: Read): void {
  for (const { operator, target } of redirects) {
    if (operator === "<") read.paths.push(...candidatesOf(textOf(target), directory));
  }
}

/** What stands in `$(…)`: its output is compared, so what it runs is under test. */
function readInner(word: Word, place: Place, read: Read): void {
  for (const part of word) {
    if (part.type === "command" || part.type === "process") readScript(part.script, { ...place, isInput: true }, read);
  }
}

/** The letters of a word; what only a shell can know stands for nothing. */
function textOf(word: Word): string {
  return word.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function readWords(words: readonly string[], place: Place, read: Read): string {
  const [first = "", ...rest] = withoutPrefix(words);
  if (first === "") return place.directory;
  if (first === "cd") return resolvePath(rest[0] ?? "", place.directory) ?? place.directory;
  read.programs.push(first);
  const name = first.slice(first.lastIndexOf("/") + 1);
  const add = (word: string): void => void read.paths.push(...candidatesOf(word, place.directory));
  if (first.includes("/") && !place.isInput) add(first);
  if (Object.hasOwn(scriptRunners, name)) readRunner(name, rest, place, read);
  if (Object.hasOwn(scriptRunners, name) || codeTakers.has(name)) return place.directory;
  if (comparers.has(name)) {
    const operands = rest.filter((word) => !word.startsWith("-"));
    const expected = operands.filter((word) => expectedName.test(word));
    for (const word of expected.length > 0 ? expected : operands) add(word);
    return place.directory;
  }
  const script = interpreters.has(name) ? rest.findIndex((word) => !word.startsWith("-")) : -1;
  const isSyntaxOnly = script > 0 && rest.slice(0, script).some((word) => /^(?:--check|-c|-n|-m|-e)$/.test(word));
  for (const [index, word] of rest.entries()) {
    // The program of an interpreter whose output is looked at is the code under test.
    if (index === script && (place.isInput || isSyntaxOnly)) continue;
    add(word);
    const value = /^--?[\w-]+=(.+)$/.exec(word)?.[1];
    if (value !== undefined) add(value);
  }
  readInnerCommand(name, rest, place, read);
  if (/^(?:python|pypy)/.test(name)) readModule(rest, place, read);
  return place.directory;
}

/** `sh -c "…"` names what its text names. */
function readInnerCommand(name: string, rest: readonly string[], place: Place, read: Read): void {
  const at = /^(?:ba|da|z|k)?sh$/.test(name) ? rest.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  const text = at === -1 ? undefined : rest[at + 1];
  if (text === undefined) return;
  const inner = readCommand(text, place.directory);
  read.paths.push(...inner.paths);
  read.programs.push(...inner.programs);
  read.scripts.push(...inner.scripts);
}

/** `python -m tools.check` is `tools/check.py` or `tools/check/__main__.py`. */
function readModule(rest: readonly string[], place: Place, read: Read): void {
  const at = rest.indexOf("-m");
  const module = at === -1 ? undefined : rest[at + 1];
  if (module === undefined || !/^[\w.]+$/.test(module)) return;
  const way = module.replaceAll(".", "/");
  for (const file of [`${way}.py`, `${way}/__main__.py`]) read.paths.push(...candidatesOf(file, place.directory));
}

/** `npm test`, `npm run x`, `yarn x`, `pnpm --dir y x`: scripts of a manifest. */
function readRunner(name: string, rest: readonly string[], place: Place, read: Read): void {
  const folder = rest.findIndex((word) => /^(?:-C|--dir|--cwd|--prefix)$/.test(word));
  const inside = folder === -1 ? place.directory : resolvePath(rest[folder + 1] ?? "", place.directory);
  const plain = rest.filter((word, index) => !word.startsWith("-") && (folder === -1 || index !== folder + 1));
  const [verb = "", next = ""] = plain;
  const script = /^(?:run|run-script)$/.test(verb) ? next : verb;
  const known = scriptRunners[name] ?? [];
  const isScript = verb !== script || known.includes("*") || known.includes(verb);
  if (inside === null || script === "" || !isScript) return;
  const expanded = script === "t" || script === "tst" ? "test" : script;
  for (const each of [`pre${expanded}`, expanded, `post${expanded}`]) {
    read.scripts.push({ name: each, directory: inside });
  }
}

/** `VAR=x env time npx command`: what is before the program itself. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    const isPrefix = /^(?:env|time|nice|exec|command|timeout|npx|bunx|xvfb-run)$/.test(word);
    const isOption = at > 0 && (word.startsWith("-") || /^\d+[smh]?$/.test(word) || /^\w+=/.test(word));
    if (!isPrefix && !isOption) break;
    at += 1;
  }
  return words.slice(at);
}

function scriptText(tree: NamingTree, { name, directory }: ScriptCall): string | null {
  const text = tree.manifest(directory === "" ? "package.json" : `${directory}/package.json`);
  if (text === null) return null;
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts = isObject(manifest) ? manifest["scripts"] : null;
    const script = isObject(scripts) && Object.hasOwn(scripts, name) ? scripts[name] : null;
    return typeof script === "string" ? script : null;
  } catch {
    return null;
  }
}

/** Where a word may lead: from the directory, and with the endings that a loader adds. */
function candidatesOf(word: string, directory: string): string[] {
  const path = word === "" || word.startsWith("-") ? null : resolvePath(word, directory);
  return path === null || path === "" ? [] : [path, ...[".js", ".mjs", ".cjs", ".ts"].map((ending) => path + ending)];
}

/** A path from the top of the tree; null when it leads out of it. */
export function resolvePath(word: string, directory: string): string | null {
  if (word.startsWith("/") || word.startsWith("~")) return null;
  const names: string[] = [];
  for (const name of `${directory}/${word}`.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}
