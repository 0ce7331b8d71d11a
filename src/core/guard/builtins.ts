import { judgeAssignment, judgeUnset } from "./environment.ts";
import { isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import type { Call } from "./facts/rule.ts";
import { report, resolveIn } from "./facts/scope.ts";
import { runFeed } from "./shells.ts";
import { parseScript } from "./syntax/parse-script.ts";

/** Applies a builtin to the shell's state. Returns true when nothing else must be judged. */
export function runBuiltin(call: Call): boolean {
  const builtin = builtins.get(call.name);
  if (builtin === undefined) return false;
  builtin(call);
  return true;
}

/** Whether a word is a builtin that keeps the variables assigned before it. */
export function changesShell(word: string): boolean {
  return builtins.has(word);
}

const builtins = new Map<string, (call: Call) => void>(
  Object.entries({
    cd: changeFolder,
    pushd: changeFolder,
    popd: (call) => {
      call.scope.cwd = call.scope.walk.place.cwd;
    },
    export: declareVariables,
    declare: declareVariables,
    typeset: declareVariables,
    local: declareVariables,
    readonly: declareVariables,
    unset: (call) => {
      for (const name of call.operands) judgeUnset(call.scope, name);
      for (const name of call.operands) call.scope.variables.set(name, [""]);
    },
    alias: defineAliases,
    set: setPositional,
    shift: ({ scope }) => {
      if (scope.positional !== null) scope.positional = [scope.positional[0] ?? "", ...scope.positional.slice(2)];
    },
    read: readVariables,
    mapfile: readVariables,
    readarray: readVariables,
    eval: (call) => {
      runEvaluated(call.words.join(" "), call);
    },
    source: sourceFile,
    ".": sourceFile,
    trap: (call) => {
      const [action] = call.operands;
      if (action !== undefined && action !== "-")
        call.scope.walk.runText(call.words.find((word) => !word.startsWith("-")) ?? "", call.scope, "");
    },
  }),
);

function changeFolder(call: Call): void {
  const word = call.words.find((candidate) => !/^-[LPe@n]+$/.test(candidate) && candidate !== "--");
  if (word === undefined) call.scope.cwd = call.scope.walk.place.home;
  else if (word === "-") call.scope.cwd = call.scope.variables.get("OLDPWD")?.[0] ?? call.scope.walk.place.cwd;
  else {
    call.scope.variables.set("OLDPWD", [call.scope.cwd]);
    call.scope.cwd = resolveIn(call.scope, isAllUnknown(word) ? marks.some : word);
  }
}

function declareVariables({ scope, words }: Call): void {
  for (const word of words) {
    const [, name, value] = /^(\w+)\+?=([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined || value === undefined) continue;
    judgeAssignment(scope, name, value);
    scope.variables.set(name, [value]);
  }
}

function defineAliases({ scope, words }: Call): void {
  for (const word of words) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined || value === undefined) continue;
    scope.walk.runText(value, scope, "");
    const { script } = parseScript(`${value} "$@"`, scope.walk.budget);
    scope.functions.set(name, { type: "group", isSubshell: false, body: script, redirects: [] });
    if (!trustedNames.has(name)) continue;
    report(scope, { category: 13, tier: "block", reason: `${name} would be another program` }, ["alias", word]);
  }
}

function setPositional({ scope, words, args }: Call): void {
  if (args.some((word, index) => word === "history" && args[index - 1] === "+o")) {
    report(scope, { category: 13, tier: "block", reason: "hides what was run" }, ["set", ...words]);
  }
  const at = args.indexOf("--");
  if (at !== -1) scope.positional = ["sh", ...words.slice(at + 1)];
}

function readVariables({ scope, operands, input }: Call): void {
  const names = operands.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  const line = (input.split("\n")[0] ?? "").trim();
  const value = line === "" || line === marks.file ? marks.unknown : line;
  const fields = names.length > 1 ? value.split(/\s+/) : [value];
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const field = isLast ? fields.slice(index).join(" ") : (fields[index] ?? "");
    judgeAssignment(scope, name, field);
    scope.variables.set(name, [field]);
  }
}

function runEvaluated(text: string, call: Call): void {
  if (text.includes(marks.trusted) && withoutUnknown(text).trim() === "") return;
  runFeed(text, call, "eval runs a text nobody can read");
}

function sourceFile(call: Call): void {
  const [path = ""] = call.words;
  if (path === "/dev/stdin" || path === "-") return runEvaluated(call.input, call);
  const known = call.scope.files.get(resolveIn(call.scope, path));
  if (known !== undefined) return runEvaluated(known, call);
  // In the word, a process substitution is represented by its output.
  const isText = path.includes("\n") || path.includes(marks.download) || path.includes(marks.decoded) || / /.test(path);
  if (isText) runEvaluated(path, call);
}

const trustedNames = new Set([
  "rm",
  "git",
  "ls",
  "cd",
  "sudo",
  "ssh",
  "cat",
  "curl",
  "npm",
  "node",
  "python",
  "python3",
  "grep",
  "echo",
  "cp",
  "mv",
  "make",
  "docker",
  "ralph",
]);
