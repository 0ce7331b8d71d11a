import { judgeAssignment, judgeUnset } from "./environment.ts";
import { assignArray, declaredArray } from "./facts/arrays.ts";
import { isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { hasFlag, type Call } from "./facts/rule.ts";
import { report, resolveIn, type Scope } from "./facts/scope.ts";
import { isForeignScript } from "./facts/call-context.ts";
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
    read: (call) => {
      if (hasFlag(call, "-a")) readList(call, separatorsOf(call.scope));
      else readVariables(call);
    },
    mapfile: (call) => {
      readList(call, /[\n\0]/);
    },
    readarray: (call) => {
      readList(call, /[\n\0]/);
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

function declareVariables({ scope, words, flags }: Call): void {
  const array = declaredArray(words);
  if (array !== null) assignArray(scope, { ...array, index: "", isAppended: false });
  const isReference = flags.some((flag) => /^-\w*n/.test(flag));
  for (const word of words) {
    const [, name, value] = /^(\w+)\+?=([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined || value === undefined || name === array?.name) continue;
    judgeAssignment(scope, name, value);
    scope.variables.set(isReference ? `&${name}` : name, [value]);
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
  const fields = names.length > 1 ? value.split(separatorsOf(scope)) : [value];
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const known = isLast ? fields.slice(index).join(" ") : (fields[index] ?? "");
    // Nobody knows which part of an unknown line a variable gets.
    const field = isAllUnknown(value) ? value : known;
    judgeAssignment(scope, name, field);
    scope.variables.set(name, [field]);
  }
}

/** An array from the lines or words of the input; what comes from a file or a program is one unknown element. */
function readList({ scope, operands, input }: Call, separator: RegExp): void {
  const name = operands.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? "MAPFILE";
  const fields = input.split(separator).filter((field) => field !== "");
  const isKnown = fields.length > 0 && input !== marks.file;
  assignArray(scope, { name, index: "", values: isKnown ? fields : [marks.unknown], isAppended: false });
}

function separatorsOf(scope: Scope): RegExp {
  const separators = scope.variables.get("IFS")?.join("") ?? " \t\n";
  return new RegExp(`[\\n${separators.replaceAll(/[\]\\^-]/g, String.raw`\$&`)}]+`);
}

/** Judges a text that the shell itself runs, and returns what it writes. */
export function runEvaluated(text: string, call: Call): string {
  if (text.includes(marks.trusted) && withoutUnknown(text).trim() === "") return "";
  return runFeed(text, call, "eval runs a text nobody can read");
}

/** A file of others is not a script of this project: one that a download or another program left is refused. */
function sourceFile(call: Call): void {
  const [path = ""] = call.words;
  if (path === "/dev/stdin" || path === "-") {
    runEvaluated(call.input, call);
    return;
  }
  const resolved = resolveIn(call.scope, path);
  const known = call.scope.files.get(resolved);
  // In the word, a process substitution is represented by its output.
  const isText = path.includes("\n") || path.includes(marks.download) || path.includes(marks.decoded) || / /.test(path);
  if (known !== undefined || isText) runEvaluated(known ?? path, call);
  else if (isForeignScript(resolved, call.scope.walk.place)) {
    report(call.scope, { category: 12, tier: "block", reason: `runs ${resolved}, which anybody could have written` }, [
      call.name,
      ...call.words,
    ]);
  }
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
