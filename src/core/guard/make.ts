import { guessText, judgeForeignFile, judgeHelper } from "./helper-programs.ts";
import { hasUnknown, isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { flagValues, type Call } from "./facts/rule.ts";
import { forkScope, report, resolveIn } from "./facts/scope.ts";

/** Judges what make would run of this line: a makefile that the line wrote or feeds, `--eval`, and variables that name programs. */
export function runMake(call: Call): void {
  const { scope } = call;
  const [folder = "."] = flagValues(call, "-C", "--directory");
  const named = flagValues(call, "-f", "--file", "--makefile");
  for (const name of [...named, ...makefiles]) {
    const isInput = /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(name);
    const path = resolveIn(scope, name.startsWith("/") ? name : `${folder}/${name}`);
    runRecipes(call, isInput ? call.input : (scope.files.get(path) ?? ""));
    if (isInput && (call.input === "" || isAllUnknown(call.input))) reportUnreadable(call);
    if (!isInput && named.includes(name)) judgeForeignFile(scope, path, "make -f");
  }
  const isWritten = makefiles.some((name) => scope.files.has(resolveIn(scope, `${folder}/${name}`)));
  if (!isWritten) judgeForeignFile(scope, folder, "make -C");
  for (const path of flagValues(call, "-I", "--include-dir")) judgeForeignFile(scope, path, "make -I");
  for (const text of flagValues(call, "--eval", "-E")) runRecipes(call, text);
  for (const word of call.words) judgeVariable(call, word);
}

/** The recipes of a makefile: lines after a tab, and what follows `target: ;`. */
function runRecipes(call: Call, text: string): void {
  const recipes = [...text.matchAll(/^\t[@+-]*(.*)$|^[^\t#\n]*?:[^=\n]*?;[ \t]*[@+-]*(.*)$/gm)];
  const shellCalls = [...text.matchAll(/\$\(shell ([^)]*)\)|^[\w.]+[ \t]*!=[ \t]*(.*)$/gm)];
  const lines = [...recipes, ...shellCalls].map((match) => (match[1] ?? match[2] ?? "").replaceAll("$$", "$"));
  if (lines.length > 0) call.scope.walk.runText(lines.join("\n"), forkScope(call.scope), "");
}

/** `make SHELL=x` and `make CC=x` run x. */
function judgeVariable(call: Call, word: string): void {
  const [, name = "", value = ""] = /^(\.?\w+)[:+?]?=([\s\S]*)$/.exec(word) ?? [];
  if (value === "" || hasUnknown(value)) return;
  if (name === "MAKEFILES")
    for (const path of value.split(/\s+/)) judgeForeignFile(call.scope, path, "make MAKEFILES=");
  if (name === "SHELL") judgeShell(call, value);
  else if (name === ".SHELLFLAGS") judgeShellFlags(call, value);
  else if (/^(?:[A-Z]*CC|CXX|CPP|LD|AR|AS|FC|MAKE|PYTHON|NODE|.*_?(?:CMD|COMMAND|WRAPPER))$/.test(name)) {
    judgeHelper(call.scope, value, `make ${name}=`);
  } else guessText(call.scope, value);
}

function judgeShell(call: Call, value: string): void {
  const isOrdinary =
    /^(?:\/(?:usr\/(?:local\/)?)?bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da|k|a)?sh(?:\s+-[a-z]+)*$/.test(value);
  if (isOrdinary) return;
  judgeHelper(call.scope, value, "make SHELL=");
  const reason = `make would run every recipe with ${withoutUnknown(value)}`;
  report(call.scope, { category: 12, tier: "block", reason }, [call.name, ...call.words]);
}

/** Options such as `-euo pipefail -c` are ordinary; a word among them is a command before every recipe. */
function judgeShellFlags(call: Call, value: string): void {
  const words = value.split(/\s+/).filter((word) => word !== "");
  if (words.every((word) => /^(?:[-+]\w+|pipefail)$/.test(word))) return;
  const reason = "make would run every recipe with commands of others";
  report(call.scope, { category: 12, tier: "block", reason }, [call.name, ...call.words]);
}

function reportUnreadable(call: Call): void {
  if (call.input === "" || call.input === marks.file) return;
  const reason = "make runs a text nobody can read";
  report(call.scope, { category: 12, tier: "block", reason }, [call.name, ...call.words]);
}

const makefiles = ["Makefile", "makefile", "GNUmakefile"];
