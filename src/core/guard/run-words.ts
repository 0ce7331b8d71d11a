import { runBuiltin, runEvaluated } from "./builtins.ts";
import { judgeAssignment, judgeUnset } from "./environment.ts";
import { runFind, runParallel, runXargs } from "./find-and-xargs.ts";
import { judgeInnerCommands } from "./inner-commands.ts";
import { outputOf } from "./known-output.ts";
import { fillFolder, textOfFile } from "./facts/file-texts.ts";
import { hasPattern, marks, withoutUnknown } from "./facts/marks.ts";
import { judgePaths } from "./path-use.ts";
import { callOf, flagValues, hasFlag, matches, programName, type Call, type Rule } from "./facts/rule.ts";
import { dataAndCloudRules } from "./rules/data-and-cloud.ts";
import { executionRules } from "./rules/execution.ts";
import { ownCommandRules } from "./rules/own-commands.ts";
import { fileRules, isMakeFileSystem } from "./rules/files.ts";
import { gitSettingRules } from "./rules/git-settings.ts";
import { gitRules } from "./rules/git.ts";
import { downloaders, networkRules } from "./rules/network.ts";
import { containerRules } from "./rules/containers.ts";
import { packageSettingRules } from "./rules/package-settings.ts";
import { packageRules } from "./rules/packages.ts";
import { privilegeRules } from "./rules/privileges.ts";
import { secretRules } from "./rules/secrets.ts";
import { systemRules } from "./rules/system.ts";
import { forkScope, report, resolveIn, writeFile, type Scope } from "./facts/scope.ts";
import { printsEnvironment } from "./facts/environment-output.ts";
import { judgeReader } from "./shown-environment.ts";
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
  if (first.includes("/") || scope.files.has(resolveIn(scope, first))) runFile(first, call, words);
  judgeReader(call);
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
  if (name === "find" || name === "fd" || name === "fdfind") return runFind(call);
  if (name === "git") runGit(call);
  if (/^(?:docker|podman)(?:-compose)?$/.test(name)) runInContainer(call);
  if (name === "python" && call.args[0] === "-m" && call.args[1] === "pip")
    return runWords(["pip", ...call.words.slice(2)], scope, input);
  if (name === "exec" && call.operands.length === 0) return "";
  if (printsEnvironment(call)) return marks.environment;
  const listed = name === "parallel" ? runParallel(call) : null;
  if (listed !== null) return listed;
  judgeInnerCommands(call, words[0] ?? "");
  const wrapper = wrappers.get(name);
  const inner = wrapper === undefined ? null : unwrap(words, wrapper);
  if (inner !== null && wrapper?.isEachText === true) {
    for (const text of inner) scope.walk.runText(text, forkScope(scope), input);
    return marks.unknown;
  }
  if (inner !== null && wrapper?.isText === true) return scope.walk.runText(inner.join(" "), forkScope(scope), input);
  if (inner !== null) return runWords(inner, scope, input);
  if (name === "eval") return runEvaluated(call.words.join(" "), call);
  if (runBuiltin(call)) return "";
  rememberFiles(call);
  return outputOf(call);
}

/** `env [-i] [-u NAME] [-C DIR] [-S TEXT] [NAME=VALUE..] COMMAND`. */
function runEnv(call: Call): string {
  const scope = forkScope(call.scope);
  for (const name of flagValues(call, "-u", "--unset")) judgeUnset(scope, name);
  for (const folder of flagValues(call, "-C", "--chdir")) scope.cwd = resolveIn(scope, folder);
  for (const text of flagValues(call, "-S", "--split-string")) scope.walk.runText(text, scope, call.input);
  let at = skipFlags(call.words, 0, ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"]);
  for (; /^\w+(?:%%)?=/.test(call.args[at] ?? ""); at += 1) {
    const [, name = "", value = ""] = /^(\w+(?:%%)?)=([\s\S]*)$/.exec(call.words[at] ?? "") ?? [];
    judgeAssignment(scope, name, value);
    scope.variables.set(name, [value]);
  }
  const inner = call.words.slice(at);
  return inner.length === 0 ? marks.environment : runWords(inner, scope, call.input);
}

/** The commands git itself runs for its user. */
function runGit(call: Call): void {
  const { scope } = call;
  const [command, action] = call.operands;
  const at = call.args.indexOf(action ?? "");
  if (command === "bisect" && action === "run") runWords(call.words.slice(at + 1), forkScope(scope), "");
  if (command === "submodule" && action === "foreach")
    scope.walk.runText(call.words.slice(at + 1).join(" "), forkScope(scope), "");
  if (command === "remote" && /^(?:add|set-url|rename)$/.test(action ?? ""))
    scope.walk.newRemotes.add(call.operands[2] ?? "");
  if (command === "config" && call.args.some((word) => /^(?:remote\..*url|url\.)/i.test(word)))
    scope.walk.newRemotes.add("");
  if (command === "clone" && isAddress(action ?? ""))
    fillFolder(scope, call.operands[2] ?? repositoryName(action ?? ""), marks.download);
  if (command === "rebase")
    for (const text of flagValues(call, "-x", "--exec")) scope.walk.runText(text, forkScope(scope), "");
}

function isAddress(word: string): boolean {
  return /^[\w+.-]+:\/\/|^(?:[\w.-]+@)?[\w.-]+:/.test(word);
}

function repositoryName(address: string): string {
  return (address.replace(/\/+$/, "").split(/[/:]/).at(-1) ?? "").replace(/\.git$/, "");
}

/** Inside a container only its data matters. Before the command stands the container, its service or its image. */
function runInContainer(call: Call): void {
  const at = call.args.findIndex((word) => word === "exec" || word === "run");
  const start = skipFlags(call.words, at + 1, containerValueFlags) + 1;
  if (at === -1 || start >= call.words.length) return;
  const before = call.scope.walk.findings.length;
  runWords(call.words.slice(start), forkScope(call.scope), call.input);
  const added = call.scope.walk.findings.splice(before);
  call.scope.walk.findings.push(
    ...added.filter(({ category, subject }) => category === 16 || /^(?:env|printenv)$/.test(subject[0] ?? "")),
  );
}

/** Options of `exec` and `run` whose value is the next word. */
const containerValueFlags = (
  "-e --env --env-file -u --user -w --workdir --index --detach-keys --name --network --net -p --publish -v --volume --mount " +
  "--entrypoint --platform -l --label -m --memory --cpus -h --hostname --add-host --link --pull --restart"
).split(" ");

/** Files that a program writes and that may be run later on the same line. */
function rememberFiles(call: Call): void {
  const { scope, name } = call;
  if (name === "tee") for (const path of call.operands) writeFile(scope, path, call.input);
  if (copiers.has(name)) return copyFiles(call);
  if (name === "dd") {
    const to = call.words.find((word) => word.startsWith("of="))?.slice(3);
    if (to !== undefined) writeFile(scope, to, outputOf(call));
  }
  if (!downloaders.has(name)) return;
  for (const path of flagValues(call, "-o", "--output", "-O", "--output-document", "--out"))
    writeFile(scope, path, marks.download);
  const isNamedByAddress =
    (name === "curl" && hasFlag(call, "-O", "--remote-name")) || (name === "wget" && !hasFlag(call, "-O"));
  if (!isNamedByAddress) return;
  const [folder = "."] = flagValues(call, ...(name === "curl" ? ["--output-dir"] : ["-P", "--directory-prefix"]));
  for (const address of call.operands)
    writeFile(scope, `${folder}/${programName(address.split("?")[0] ?? "")}`, marks.download);
}

/** A copy says what its source says, under the name that it gets or in the folder that it is put in. */
function copyFiles(call: Call): void {
  const { scope, operands } = call;
  const [folder] = flagValues(call, "-t", "--target-directory");
  const to = folder ?? operands.at(-1) ?? "";
  const sources = folder === undefined ? operands.slice(0, -1) : operands.filter((path) => path !== folder);
  for (const from of sources) {
    const text = isAddress(from) ? marks.download : textOfFile(scope, from);
    if (text === null) {
      if (operands.length === 2) copyProgram(scope, from, to);
      continue;
    }
    writeFile(scope, to, text);
    writeFile(scope, `${to}/${from.split("/").at(-1) ?? ""}`, text);
  }
}

/** A program under another name stays what it is. */
function copyProgram(scope: Scope, from: string, to: string): void {
  const isProgram =
    /^(?:\/(?:usr\/(?:local\/)?)?s?bin\/)?[\w.-]+$/.test(from) && (from.startsWith("/") || isFoundProgram(from));
  if (isProgram) writeFile(scope, to, `${programName(from)} "$@"\n`);
}

/** `which rm` and `command -v rm` answer with the name alone. */
function isFoundProgram(word: string): boolean {
  return shells.has(word) || interpreters.has(word) || rulesByName.has(word) || word === "rm";
}

const rulesByName = byName([
  ...fileRules,
  ...networkRules,
  ...secretRules,
  ...privilegeRules,
  ...containerRules,
  ...packageRules,
  ...packageSettingRules,
  ...gitRules,
  ...gitSettingRules,
  ...systemRules,
  ...executionRules,
  ...ownCommandRules,
  ...dataAndCloudRules,
]);

function byName(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const map = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const name of rule.names) {
      const known = map.get(name);
      if (known === undefined) map.set(name, [rule]);
      else known.push(rule);
    }
  return map;
}

const copiers = new Set(["cp", "mv", "ln", "install", "rsync", "scp"]);
/** How deep nested function calls are followed. */
const callsMax = 12;
