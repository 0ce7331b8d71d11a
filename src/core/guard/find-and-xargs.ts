import { marks } from "./marks.ts";
import { judgeRemoval } from "./path-use.ts";
import { callOf, programName, type Call } from "./rule.ts";
import { report } from "./scope.ts";
import { skipFlags } from "./wrappers.ts";

/** Judges what find would remove or run. The files it hands on are those below its folders. */
export function runFind(call: Call): string {
  const { args, words, scope } = call;
  const firstTest = args.findIndex((word) => /^(?:-[a-zA-Z]{2,}|[(!]|\\\()/.test(word));
  const starts = words.slice(0, firstTest === -1 ? words.length : firstTest).filter((word) => !word.startsWith("-"));
  const folders = starts.length === 0 ? ["."] : starts;
  const isSelective = args.some((word) => selective.test(word));
  if (args.includes("-delete")) for (const folder of folders) judgeFound(call, folder, isSelective);
  for (const [at, word] of args.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir|x|X)$/.test(word)) continue;
    const end = args.findIndex((candidate, index) => index > at && /^[;+]$/.test(candidate));
    const inner = words.slice(at + 1, end === -1 ? undefined : end);
    runFound(call, inner, folders, isSelective);
  }
  for (const [at, word] of args.entries()) {
    if (/^-f(?:printf?0?|ls)$/.test(word)) scope.walk.runWords(["tee", words[at + 1] ?? ""], scope, marks.unknown);
  }
  // What goes on in a pipe is known by its folders, and by whether it is only some of what is in them.
  return folders.map((folder) => (isSelective ? foundIn(folder) : folder)).join("\n");
}

/** Judges the command that xargs builds from its own words and from what it is fed. */
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
  const fed = call.input.split(/\s+/).filter((word) => word !== "");
  const isFileList = fed.length === 0 || call.input === marks.file;
  if (isFileList && programName(inner[0] ?? "") === "rm") {
    const reason = "removes whatever a list names";
    report(call.scope, { category: 1, tier: "block", reason }, ["xargs", ...call.words]);
  }
  const placeholder = /^-I(.*)$/.exec(call.args.find((word) => word.startsWith("-I")) ?? "")?.[1];
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

function runFound(call: Call, inner: readonly string[], folders: readonly string[], isSelective: boolean): void {
  for (const folder of folders) {
    const found = isSelective ? foundIn(folder) : folder;
    call.scope.walk.runWords(
      inner.map((word) => word.replaceAll("{}", () => found)),
      call.scope,
      "",
    );
  }
}

/** A find that asks for names removes some files; one that does not removes the folder. */
function judgeFound(call: Call, folder: string, isSelective: boolean): void {
  const target = isSelective ? foundIn(folder) : folder;
  judgeRemoval(callOf(["find", ...call.words], call.scope, ""), target, true);
}

/** Stands for any file below a folder; below the root lies the system. */
function foundIn(folder: string): string {
  return /^\/+$/.test(folder) ? "/usr/found" : `${folder}/found`;
}

const selective = /^-(?:i?name|i?path|i?regex|i?wholename|newer\w*|[mac]time|[mac]min|empty|size|maxdepth|user|perm)$/;
