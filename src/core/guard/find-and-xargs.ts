import { findPathFaults } from "./judge-path.ts";
import type { Finding } from "./facts/judgement.ts";
import { isReadText, textOfFile } from "./facts/file-texts.ts";
import { marks } from "./facts/marks.ts";
import { secretExamples } from "./protected-paths.ts";
import { judgeRemoval } from "./path-use.ts";
import { isWithin } from "./facts/call-context.ts";
import { callOf, flagValues, hasFlag, programName, type Call } from "./facts/rule.ts";
import { report, resolveIn } from "./facts/scope.ts";
import { runFeed } from "./shells.ts";
import { skipFlags } from "./wrappers.ts";

/** Judges what find would remove or run. The files it passes on are those below its folders. */
export function runFind(call: Call): string {
  const { args, words, scope } = call;
  const firstTest = args.findIndex((word) => /^(?:-[a-zA-Z]{2,}|[(!]|\\\()/.test(word));
  const starts = words.slice(0, firstTest === -1 ? words.length : firstTest).filter((word) => !word.startsWith("-"));
  const named =
    call.name !== "find"
      ? call.words.filter((word, at) => !word.startsWith("-") && at < firstRun(args)).slice(1)
      : starts;
  const folders = named.length === 0 ? ["."] : named;
  const isSelective = args.some((word) => selective.test(word));
  if (args.includes("-delete")) for (const folder of folders) judgeFound(call, folder, isSelective);
  for (const [at, word] of args.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/.test(word)) continue;
    const end = args.findIndex((candidate, index) => index > at && /^[;+]$/.test(candidate));
    const inner = words.slice(at + 1, end === -1 ? undefined : end);
    runFound(call, inner, folders, isSelective);
  }
  for (const [at, word] of args.entries()) {
    if (/^-f(?:printf?0?|ls)$/.test(word)) scope.walk.runWords(["tee", words[at + 1] ?? ""], scope, marks.unknown);
  }
  // The output to a pipe is known by its folders, and by whether it is only a part of their files.
  return folders.map((folder) => (isSelective ? foundIn(folder) : everythingIn(folder))).join("\n");
}

/** Judges the command that xargs builds from its own words and from its input. */
export function runXargs(call: Call): string {
  const at = skipFlags(call.words, 0, [
    "-I",
    "-n",
    "-P",
    "-L",
    "-s",
    "-d",
    "-E",
    "-a",
    "--max-args",
    "--max-procs",
    "--replace",
    "--delimiter",
    "--arg-file",
  ]);
  const inner = call.words.slice(at);
  if (inner.length === 0) return marks.unknown;
  // Options of the command that it runs are not its own.
  const own = callOf(["xargs", ...call.words.slice(0, at)], call.scope, "");
  const [list] = flagValues(own, "-a", "--arg-file");
  const input = list === undefined ? call.input : (textOfFile(call.scope, list) ?? marks.file);
  const fed = fedWords(own, input);
  const isFileList = fed.length === 0 || input === marks.file;
  if (isFileList && programName(inner[0] ?? "") === "rm") {
    const reason = "removes whatever a list names";
    report(call.scope, { category: 1, tier: "block", reason }, ["xargs", ...call.words]);
  }
  const placeholder = /^-I(.*)$/.exec(call.args.slice(0, at).find((word) => word.startsWith("-I")) ?? "")?.[1];
  const token = placeholder === "" ? (call.args[call.args.indexOf("-I") + 1] ?? "{}") : placeholder;
  if (token === undefined) return call.scope.walk.runWords([...inner, ...fed], call.scope, "");
  for (const value of fed.length === 0 ? [marks.unknown] : fed) {
    call.scope.walk.runWords(
      inner.map((word) => word.replaceAll(token, () => value)),
      call.scope,
      "",
    );
  }
  return marks.unknown;
}

/** The words that xargs makes of its input; a script has no zero bytes, and is one word for `-0`. */
function fedWords(call: Call, input: string): string[] {
  if (hasFlag(call, "-0", "--null") && isReadText(call.scope, input)) return [input];
  const isByLine = hasFlag(call, "-0", "--null", "-d", "--delimiter", "-I");
  const fed = input.split(isByLine ? /[\0\n]/ : /\s+/).filter((word) => word !== "");
  return fed.length > fedMax ? [...fed.slice(0, fedMax), marks.unknown] : fed;
}

/** `parallel` runs the lines of its lists: as commands, or as words of the command that it is given. */
export function runParallel(call: Call): string | null {
  const at = skipFlags(call.words, 0, ["-j", "--jobs", "-a", "--arg-file", "-I", "-n", "-N", "-L", "--colsep", "-d"]);
  const words = call.words.slice(at);
  const ends = words.findIndex((word) => word.startsWith(":::"));
  if (words[ends] === ":::") return null;
  const own = callOf(["parallel", ...call.words.slice(0, at)], call.scope, "");
  const named = [...flagValues(own, "-a", "--arg-file"), ...(ends === -1 ? [] : words.slice(ends + 1))];
  const texts = named.map((path) => textOfFile(call.scope, path) ?? marks.file);
  const input = texts.length === 0 ? call.input : texts.join("");
  const command = ends === -1 ? words : words.slice(0, ends);
  if (input === "") return null;
  if (command.length === 0) return runFeed(input, { ...call, input: "" }, "parallel runs a text nobody can read");
  const inner = command.some((word) => word.includes("{}")) ? command : [...command, "{}"];
  return runXargs(callOf(["xargs", "-I", "{}", ...inner], call.scope, input));
}

function runFound(call: Call, inner: readonly string[], folders: readonly string[], isSelective: boolean): void {
  const isRemoving = programName(inner[0] ?? "") === "rm";
  for (const folder of folders) {
    if (isRemoving) judgeFound(call, folder, isSelective);
    const found = isSelective ? foundIn(folder) : folder;
    // Every file below the folder gets the rights.
    const isChanging = !isSelective && /^(?:chmod|chown|chgrp|setfacl)$/.test(programName(inner[0] ?? ""));
    const whole = isChanging ? [inner[0] ?? "", "-R", ...inner.slice(1)] : inner;
    const words = whole.map((word) => word.replaceAll("{}", () => found));
    call.scope.walk.runWords(call.name !== "find" && !inner.includes("{}") ? [...words, found] : words, call.scope, "");
    for (const secret of isSelective ? secretsByName(call, resolveIn(call.scope, folder)) : [])
      call.scope.walk.runWords(
        inner.map((word) => word.replaceAll("{}", () => secret)),
        call.scope,
        "",
      );
  }
}

function firstRun(args: readonly string[]): number {
  const at = args.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(word));
  return at === -1 ? args.length : at;
}

/** A find that asks for names removes some files; one that does not removes the folder. */
function judgeFound(call: Call, folder: string, isSelective: boolean): void {
  const target = isSelective ? foundIn(folder) : folder;
  judgeRemoval(callOf(["find", ...call.words], call.scope, ""), target, true);
  const { findings, place } = call.scope.walk;
  const path = resolveIn(call.scope, target);
  const guarded = isSelective ? guardedByName(call, resolveIn(call.scope, folder)) : [];
  for (const found of [path, ...guarded]) findings.push(...findPathFaults(found, "write", place).filter(isGuarding));
}

/** Files that decide what a run may do and that a search by name below this folder finds. */
function guardedByName(call: Call, folder: string): string[] {
  const patterns = call.args.filter((_, index) => /^-i?name$/.test(call.args[index - 1] ?? ""));
  const { workTree } = call.scope.walk.place;
  return guardedFiles
    .map((file) => `${workTree}/${file}`)
    .filter((path) => isWithin(path, folder) && patterns.some((pattern) => isNamed(path, pattern)));
}

/** Secret files that a search by name below this folder finds. */
function secretsByName(call: Call, folder: string): string[] {
  const patterns = call.args.filter((_, index) => /^-i?name$/.test(call.args[index - 1] ?? ""));
  return secretExamples
    .map((path) => path.replace(/^~/, call.scope.walk.place.home))
    .filter((path) => isWithin(path, folder) && patterns.some((pattern) => isNamed(path, pattern)));
}

function isNamed(path: string, pattern: string): boolean {
  const source = pattern
    .slice(0, 200)
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, "[^/]*")
    .replaceAll("?", "[^/]");
  return new RegExp(`/${source}$`, "i").test(path);
}

function isGuarding(finding: Finding): boolean {
  return finding.category === 18 || finding.category === 15;
}

/** Represents everything in a folder. */
function everythingIn(folder: string): string {
  return `${folder.replace(/\/+$/, "")}/${marks.star}`;
}

/** Represents any file below a folder; below the root it is a system file. */
function foundIn(folder: string): string {
  return /^\/+$/.test(folder) ? "/usr/found" : `${folder}/found`;
}

/** A list beyond this length adds nothing new; the rest counts as unknown. */
const fedMax = 200;
const guardedFiles = [".ralph/settings.json", ".ralph/settings.local.json", ".ralph/guard-allow.json", ".ralph-active"];
const selective = /^-(?:i?name|i?path|i?regex|i?wholename|newer\w*|[mac]time|[mac]min|empty|size|maxdepth|user|perm)$/;
