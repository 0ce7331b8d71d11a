import { runBuiltin } from "./builtins.ts";
import { judgeAssignment, judgeUnset } from "./environment.ts";
import { runFind, runXargs } from "./find-and-xargs.ts";
import { outputOf } from "./known-output.ts";
import { hasPattern, marks, withoutUnknown } from "./facts/marks.ts";
import { judgePaths } from "./path-use.ts";
import { callOf, flagValues, hasFlag, matches, programName, type Call, type Rule } from "./facts/rule.ts";
import { dataAndCloudRules } from "./rules/data-and-cloud.ts";
import { executionRules } from "./rules/execution.ts";
import { ownHookRules } from "./rules/own-hooks.ts";
import { fileRules, isMakeFileSystem } from "./rules/files.ts";
import { gitRules } from "./rules/git.ts";
import { networkRules } from "./rules/network.ts";
import { packageRules } from "./rules/packages.ts";
import { privilegeRules } from "./rules/privileges.ts";
import { secretRules } from "./rules/secrets.ts";
import { systemRules } from "./rules/system.ts";
import { forkScope, report, resolveIn, writeFile, type Scope } from "./facts/scope.ts";
import { interpreters, runFile, runInterpreter, runShell, shells } from "./shells.ts";
import { skipFlags, unwrap, wrappers } from "./wrappers.ts";

/** Judges a command with expanded words, and everything that it would run. */
export function runWords(words: readonly string[], scope: Scope, input: string): string {
  scope.walk.commandsLeft -= 1;
  if (scope.walk.commandsLeft < 0) {
    scope.walk.budget.failure ??= "it runs too many commands";
    return "";
  }
  const [first = "", ...rest] = words;
  const call = callOf(words, scope, input);
  judgeName(first, call);
  // If a word may be empty, the next one may be the program.
  if (withoutUnknown(first) === "" && rest.length > 0) runWords(rest, scope, input);
  const body = scope.functions.get(withoutUnknown(first));
  if (body !== undefined && scope.active.length < callsMax && !scope.active.includes(call.name)) {
    const inner = forkScope(scope, { positional: words, active: [...scope.active, call.name] });
    return scope.walk.runBody(body, inner, input);
  }
  if (first.includes("/") || scope.files.size > 0) runFile(first, call, words);
  applyRules(call);
  judgePaths(call);
  return runProgram(words, call);
}

/** A program name made of patterns, or encoded or downloaded, is hidden on purpose. */
function judgeName(first: string, call: Call): void {
  const words = [first, ...call.words];
  if (hasPattern(first) && !/^\uE002{1,2}$/.test(first)) {
    report(call.scope, { category: 12, tier: "block", reason: "a pattern stands for the program" }, words);
  }
  if (first.includes(marks.decoded))
    report(call.scope, { category: 12, tier: "block", reason: "the program's name was encoded" }, words);
  if (first.includes(marks.download))
    report(call.scope, { category: 4, tier: "block", reason: "runs what was just downloaded" }, words);
}

function applyRules(call: Call): void {
  if (isMakeFileSystem(call)) {
    report(call.scope, { category: 2, tier: "block", reason: "makes a file system, all data on it is lost" }, [
      call.name,
      ...call.words,
    ]);
  }
  const isQuestion = call.args.length === 1 && /^--?(?:help|version)$/.test(call.args[0] ?? "");
  if (isQuestion || (call.name === "git" && hasFlag(call, "--help"))) return;
  for (const rule of rulesByName.get(call.name) ?? []) {
    if (matches(rule, call)) report(call.scope, rule, [call.name, ...call.words]);
  }
}

function runProgram(words: readonly string[], call: Call): string {
  const { name, scope, input } = call;
  if (shells.has(name)) return runShell(call);
  if (interpreters.has(name)) runInterpreter(call);
  if (name === "env") return runEnv(call);
  if (name === "command" && /^-p?[vV]/.test(call.args[0] ?? "")) return call.words.slice(1).join("\n");
  if (name === "xargs") return runXargs(call);
  if (name === "find" || name === "fd") return runFind(call);
  if (name === "git") runGit(call);
  if (name === "docker" || name === "podman") runInContainer(call);
  if (name === "python" && call.args[0] === "-m" && call.args[1] === "pip")
    return runWords(["pip", ...call.words.slice(2)], scope, input);
  if (name === "make" || name === "gmake") runMake(call);
  if (name === "exec" && call.operands.length === 0) return "";
  for (const text of flagValues(call, ...(textFlags.get(name) ?? []))) scope.walk.runText(text, scope, input);
  for (const text of clusteredTexts(call)) scope.walk.runText(text, scope, input);
  const wrapper = wrappers.get(name);
  const inner = wrapper === undefined ? null : unwrap(words, wrapper);
  if (inner !== null && wrapper?.isEachText === true) {
    for (const text of inner) scope.walk.runText(text, forkScope(scope), input);
    return marks.unknown;
  }
  if (inner !== null && wrapper?.isText === true) return scope.walk.runText(inner.join(" "), forkScope(scope), input);
  if (inner !== null) return runWords(inner, scope, input);
  if (runBuiltin(call)) return "";
  rememberFiles(call);
  return outputOf(call);
}

/** The value of an option that ends a cluster: `script -qc TEXT`. */
function clusteredTexts(call: Call): string[] {
  const letters = (textFlags.get(call.name) ?? []).filter((flag) => /^-\w$/.test(flag)).map((flag) => flag.charAt(1));
  return call.args.flatMap((argument, index) =>
    /^-\w\w+$/.test(argument) && letters.includes(argument.at(-1) ?? "") ? [call.words[index + 1] ?? ""] : [],
  );
}

/** `env [-i] [-u NAME] [-C DIR] [-S TEXT] [NAME=VALUE..] COMMAND`. */
function runEnv(call: Call): string {
  const scope = forkScope(call.scope);
  for (const name of flagValues(call, "-u", "--unset")) judgeUnset(scope, name);
  for (const folder of flagValues(call, "-C", "--chdir")) scope.cwd = resolveIn(scope, folder);
  for (const text of flagValues(call, "-S", "--split-string")) scope.walk.runText(text, scope, call.input);
  let at = skipFlags(call.words, 0, ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"]);
  for (; /^\w+=/.test(call.args[at] ?? ""); at += 1) {
    const [, name = "", value = ""] = /^(\w+)=([\s\S]*)$/.exec(call.words[at] ?? "") ?? [];
    judgeAssignment(scope, name, value);
    scope.variables.set(name, [value]);
  }
  const inner = call.words.slice(at);
  return inner.length === 0 ? marks.unknown : runWords(inner, scope, call.input);
}

/** The recipes of a makefile that the same line wrote. */
function runMake(call: Call): void {
  const [folder = "."] = flagValues(call, "-C", "--directory");
  const names = [...flagValues(call, "-f", "--file"), "Makefile", "makefile", "GNUmakefile"];
  for (const name of names) {
    const text = call.scope.files.get(resolveIn(call.scope, name.startsWith("/") ? name : `${folder}/${name}`)) ?? "";
    const recipes = [...text.matchAll(/^\t[@-]*(.*)$/gm)].map((match) => match[1] ?? "");
    if (recipes.length > 0) call.scope.walk.runText(recipes.join("\n"), forkScope(call.scope), "");
  }
}

/** The commands git itself runs for its user. */
function runGit(call: Call): void {
  const { scope } = call;
  const [command, action] = call.operands;
  const at = call.args.indexOf(action ?? "");
  if (command === "bisect" && action === "run") runWords(call.words.slice(at + 1), forkScope(scope), "");
  if (command === "submodule" && action === "foreach")
    scope.walk.runText(call.words.slice(at + 1).join(" "), forkScope(scope), "");
  if (command === "rebase")
    for (const text of flagValues(call, "-x", "--exec")) scope.walk.runText(text, forkScope(scope), "");
}

/** Inside a container only its data matters. */
function runInContainer(call: Call): void {
  const at = call.operands.findIndex((word) => word === "exec");
  const inner = call.operands.slice(at + 2);
  if (at === -1 || inner.length === 0) return;
  const start = call.args.indexOf(inner[0] ?? "");
  const before = call.scope.walk.findings.length;
  runWords(call.words.slice(start), forkScope(call.scope), call.input);
  const added = call.scope.walk.findings.splice(before);
  call.scope.walk.findings.push(...added.filter((finding) => finding.category === 16));
}

/** Files that a program writes and that may be run later on the same line. */
function rememberFiles(call: Call): void {
  const { scope, name } = call;
  if (name === "tee") for (const path of call.operands) writeFile(scope, path, call.input);
  if (name === "curl") for (const path of flagValues(call, "-o", "--output")) writeFile(scope, path, marks.download);
  if (name === "wget")
    for (const path of flagValues(call, "-O", "--output-document")) writeFile(scope, path, marks.download);
  const isNamedByAddress =
    (name === "curl" && hasFlag(call, "-O", "--remote-name")) || (name === "wget" && !hasFlag(call, "-O"));
  if (!isNamedByAddress) {
    if ((name === "cp" || name === "mv" || name === "ln") && call.operands.length === 2) copyFile(call);
    return;
  }
  for (const address of call.operands) writeFile(scope, programName(address.split("?")[0] ?? ""), marks.download);
}

function copyFile({ scope, operands: [from = "", to = ""] }: Call): void {
  const text = scope.files.get(resolveIn(scope, from));
  if (text !== undefined) writeFile(scope, to, text);
}

/** Options whose value is a command line. */
const textFlags = new Map<string, readonly string[]>(
  Object.entries({
    su: ["-c", "--command"],
    runuser: ["-c", "--command"],
    script: ["-c", "--command"],
    flock: ["-c", "--command"],
    npx: ["-c", "--call"],
    npm: ["-c", "--call"],
    "nix-shell": ["--run", "--command"],
    watchexec: ["--exec"],
    entr: ["-s"],
    nodemon: ["-x", "--exec"],
  }),
);

const rulesByName = byName([
  ...fileRules,
  ...networkRules,
  ...secretRules,
  ...privilegeRules,
  ...packageRules,
  ...gitRules,
  ...systemRules,
  ...executionRules,
  ...ownHookRules,
  ...dataAndCloudRules,
]);

function byName(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const map = new Map<string, Rule[]>();
  for (const rule of rules) for (const name of rule.names) map.set(name, [...(map.get(name) ?? []), rule]);
  return map;
}

/** How deep nested function calls are followed. */
const callsMax = 12;
