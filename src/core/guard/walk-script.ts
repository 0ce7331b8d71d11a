import { changesShell } from "./builtins.ts";
import { judgeShown } from "./shown-environment.ts";
import { judgeAssignment } from "./environment.ts";
import { expandFields, expandText, type Surroundings } from "./expand.ts";
import { findPathFaults } from "./judge-path.ts";
import { textOfFile } from "./facts/file-texts.ts";
import { isHarnessFile } from "./facts/harness-files.ts";
import { assignArray } from "./facts/arrays.ts";
import { hasUnknown, marks, plainPatterns, withoutUnknown } from "./facts/marks.ts";
import { outputOfSubstitution, valueOfParameter } from "./facts/parameters.ts";
import { forkScope, report, resolveIn, writeFile, type Scope } from "./facts/scope.ts";
import { bombs, endlessLoop } from "./self-calls.ts";
import type { Command, Redirect, Script, Word } from "./syntax/script.ts";

/** Walks a script command by command and returns its output as far as it is known. */
export function walkScript(script: Script, scope: Scope, input: string): string {
  const outputs: string[] = [];
  for (const { commands, isBackground } of script) {
    if (commands.length > 1 || isBackground) {
      outputs.push(walkPipe(commands, scope, input));
      continue;
    }
    for (const command of commands) outputs.push(walkCommand(command, scope, input));
  }
  const text = outputs.join("");
  return text.length > outputCharsMax ? marks.unknown : text;
}

/** Walks the commands of a pipe, each with the output of the one before it. */
function walkPipe(commands: readonly Command[], scope: Scope, input: string): string {
  const last = commands.length - 1;
  const output = commands.reduce((feed, command, at) => {
    const inner = forkScope(scope, at < last ? { isPiped: true } : {});
    return walkCommand(command, inner, feed);
  }, input);
  if (scope.isPiped !== true) judgeShown(scope, output);
  return output;
}

/** Walks one command. */
export function walkCommand(command: Command, scope: Scope, input: string): string {
  scope.walk.commandsLeft -= 1;
  if (scope.walk.commandsLeft < 0) {
    scope.walk.budget.failure ??= "it runs too many commands";
    return "";
  }
  if (command.type === "function") return defineFunction(command, scope);
  const feed = applyInputs(command.redirects, scope, input);
  const output = walkInner(command, scope, feed);
  return applyOutputs(command.redirects, scope, output);
}

function walkInner(command: Exclude<Command, { type: "function" }>, scope: Scope, input: string): string {
  switch (command.type) {
    case "simple":
      return walkSimple(command, scope, input);
    case "group":
      return walkScript(command.body, command.isSubshell ? forkScope(scope) : scope, input);
    case "branch":
      for (const word of command.words) expandFields(word, surroundingsOf(scope));
      return command.parts.map((part) => walkScript(part, scope, input)).join("");
    case "loop":
      return walkLoop(command, scope, input);
  }
}

function walkSimple(command: Extract<Command, { type: "simple" }>, scope: Scope, input: string): string {
  const around = surroundingsOf(scope);
  const words = command.words.flatMap((word) => expandFields(word, around));
  const target = words.length === 0 ? scope : forkScope(scope);
  for (const { name, index, values, isAppended, isArray } of command.assignments) {
    const texts = isArray
      ? values.flatMap((value) => expandFields(value, around))
      : values.map((value) => plainPatterns(expandText(value, around)));
    judgeAssignment(scope, name, texts.join(" "));
    if (isArray || index !== "") assignArray(target, { name, index, values: texts, isAppended });
    else target.variables.set(name, [(isAppended ? (scope.variables.get(name) ?? []).join("") : "") + texts.join("")]);
  }
  // `$(< file)` is the content of the file.
  if (words.length === 0) return command.assignments.length === 0 ? input : "";
  feedProcesses(command.words, scope, input);
  // A program sees the assignments before it; a builtin such as cd changes the shell itself.
  const isOwn = command.assignments.length === 0 || changesShell(words[0] ?? "");
  if (!isOwn) return scope.walk.runWords(words, target, input);
  const separators = scope.variables.get("IFS");
  const own = command.assignments.some(({ name }) => name === "IFS") ? target.variables.get("IFS") : undefined;
  if (own === undefined) return scope.walk.runWords(words, scope, input);
  scope.variables.set("IFS", own);
  const output = scope.walk.runWords(words, scope, input);
  scope.variables.set("IFS", separators ?? [" \t\n"]);
  return output;
}

/** `tee >(sh)`: what a command reads may reach the processes among its words. */
function feedProcesses(words: readonly Word[], scope: Scope, input: string): void {
  if (input === "") return;
  for (const part of words.flat()) if (part.type === "process") walkScript(part.script, forkScope(scope), input);
}

function walkLoop(command: Extract<Command, { type: "loop" }>, scope: Scope, input: string): string {
  const around = surroundingsOf(scope);
  if (endlessLoop(command)) {
    const reason = "an endless loop that writes or starts programs without a pause";
    report(scope, { category: 3, tier: "block", reason }, ["while"]);
  }
  if (command.each === null)
    return linesRead(command, input)
      .map((line) => walkTurn(command, scope, line))
      .join("");
  walkScript(command.condition, scope, input);
  const { variable, items } = command.each;
  const values = items.flatMap((item) => expandFields(item, around));
  const looked = values.length === 0 ? [marks.unknown] : values;
  const outputs = looked.map((value) => {
    scope.variables.set(variable, [value]);
    return walkScript(command.body, scope, input);
  });
  return outputs.join("");
}

function walkTurn(command: Extract<Command, { type: "loop" }>, scope: Scope, input: string): string {
  walkScript(command.condition, scope, input);
  return walkScript(command.body, scope, input);
}

/** A loop that reads is judged for each input line; all other loops once. */
function linesRead(command: Extract<Command, { type: "loop" }>, input: string): string[] {
  const lines = input.split("\n").filter((line) => line !== "");
  if (lines.length < 2 || !command.condition.some(({ commands }) => commands.some(isRead))) return [input];
  return lines.length > linesMax ? [...lines.slice(0, linesMax), marks.unknown] : lines;
}

function isRead(command: Command): boolean {
  const [first] = command.type === "simple" ? (command.words[0] ?? []) : [];
  return first?.type === "text" && first.text === "read";
}

function defineFunction(command: Extract<Command, { type: "function" }>, scope: Scope): string {
  scope.functions.set(command.name, command.body);
  // The shell calls this one itself.
  if (command.name === "command_not_found_handle") walkCommand(command.body, forkScope(scope), "");
  if (bombs(command.body, command.name)) {
    const reason = `${command.name} starts itself again and again`;
    report(scope, { category: 3, tier: "block", reason }, [command.name]);
  }
  return "";
}

/** The last redirect of the input counts; a file read this way is judged like any other. */
function applyInputs(redirects: readonly Redirect[], scope: Scope, input: string): string {
  let feed = input;
  for (const redirect of redirects) {
    const text = readRedirect(redirect, scope);
    if (text === null) continue;
    if (redirect.descriptor === "" || redirect.descriptor === "0") feed = text;
    else scope.files.set(`/dev/fd/${redirect.descriptor}`, text);
  }
  return feed;
}

function readRedirect(redirect: Redirect, scope: Scope): string | null {
  if (redirect.body !== null) return expandText(redirect.body, surroundingsOf(scope));
  if (redirect.operator === "<") return readTarget(redirect, scope);
  if (redirect.operator !== "<&") return null;
  return scope.files.get(`/dev/fd/${expandText(redirect.target, surroundingsOf(scope))}`) ?? null;
}

function readTarget(redirect: Redirect, scope: Scope): string {
  const isProcess = redirect.target.some((part) => part.type === "process");
  const target = expandText(redirect.target, surroundingsOf(scope));
  if (isProcess) return target;
  const path = resolveIn(scope, target);
  scope.walk.findings.push(...findPathFaults(path, "read", scope.walk.place));
  if (isHarnessFile(withoutUnknown(path), scope.walk.place)) return marks.harness;
  return textOfFile(scope, path) ?? marks.file;
}

function applyOutputs(redirects: readonly Redirect[], scope: Scope, output: string): string {
  let rest = output;
  for (const redirect of redirects) {
    if (!writing.has(redirect.operator)) continue;
    const process = redirect.target.find((part) => part.type === "process");
    if (process !== undefined) {
      walkScript(process.script, forkScope(scope), rest);
      continue;
    }
    const target = expandText(redirect.target, surroundingsOf(scope));
    const isDescriptor = redirect.operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target);
    if (isDescriptor || target === "") continue;
    const path = resolveIn(scope, target);
    scope.walk.findings.push(...findPathFaults(path, "write", scope.walk.place));
    if (redirect.descriptor !== "" && redirect.descriptor !== "1") continue;
    if (path !== "/dev/null") judgeShown(scope, rest);
    const before = redirect.operator.endsWith(">>") ? (scope.files.get(path) ?? "") : "";
    writeFile(scope, path, before + (hasUnknown(target) ? withoutUnknown(rest) : rest));
    rest = "";
  }
  return rest;
}

function surroundingsOf(scope: Scope): Surroundings {
  return {
    home: scope.walk.place.home,
    cwd: scope.cwd,
    separators: scope.variables.get("IFS")?.join("") ?? " \t\n",
    valueOf: (part) => valueOfParameter(part, scope, (word) => expandText(word, surroundingsOf(scope))),
    outputOf: (part) =>
      outputOfSubstitution(part.script, walkScript(part.script, forkScope(scope, { isPiped: false }), ""), scope),
    giveUp: (reason) => {
      scope.walk.budget.failure ??= reason;
    },
    visit: (word: Word) => {
      expandText(
        word.filter((part) => part.type !== "text"),
        surroundingsOf(scope),
      );
    },
  };
}

const writing = new Set([">", ">>", ">|", "&>", "&>>", ">&", "<>"]);
const outputCharsMax = 131_072;
/** A list that is read line by line on a command line is short; of a longer one the rest counts as unknown. */
const linesMax = 50;
