import { guessArguments, guessText, judgeForeignFile, judgeHelper } from "./helper-programs.ts";
import { judgeCode } from "./code-texts.ts";
import { commandLikeValues, fileFlags, helperFlags, textFlags, valuesAfter } from "./facts/command-options.ts";
import { runMake } from "./make.ts";
import { judgeScripts } from "./package-scripts.ts";
import { findPathFaults } from "./judge-path.ts";
import { textOfFile } from "./facts/file-texts.ts";
import { isWithin } from "./facts/call-context.ts";
import { withoutUnknown } from "./facts/marks.ts";
import { flagValues, type Call } from "./facts/rule.ts";
import { sedWrites } from "./facts/sed-writes.ts";
import { forkScope, report, resolveIn, writeFile } from "./facts/scope.ts";
import { wrappers } from "./wrappers.ts";

/**
 * Judges the commands that a program takes as options, in its own language, or as its last words. What a program of the
 * project does with its words is the project's business.
 */
export function judgeInnerCommands(call: Call, program: string): void {
  for (const { text, flag } of valuesAfter(call, helperFlags)) judgeHelper(call.scope, text, `${call.name} ${flag}`);
  for (const { text } of valuesAfter(call, textFlags)) call.scope.walk.runText(text, forkScope(call.scope), "");
  for (const { text, flag } of valuesAfter(call, fileFlags)) judgeForeignFile(call.scope, text, `${call.name} ${flag}`);
  special.get(call.name)?.(call);
  const isOwn = program.includes("/") && isWithin(resolveIn(call.scope, program), call.scope.walk.place.workTree);
  if (isOwn) return;
  if (!/^(?:git|gh|glab|docker|podman|kubectl)$/.test(call.name)) {
    for (const text of commandLikeValues(call)) guessText(call.scope, text);
  }
  if (!wrappers.has(call.name)) guessArguments(call);
}

/** Texts in a program's own language that run commands: `.shell X`, `\\! X`, `!X`. */
function runEscapes(call: Call, escape: RegExp): void {
  const texts = [...call.words, ...call.input.split("\n")];
  for (const text of texts) {
    for (const match of text.slice(0, escapeCharsMax).matchAll(escape)) {
      const command = match.slice(1).find((group) => group !== undefined) ?? "";
      call.scope.walk.runText(command, forkScope(call.scope), "");
      const reason = `${call.name} runs commands of its own`;
      report(call.scope, { category: 12, tier: "block", reason }, [call.name, ...call.words]);
    }
  }
}

/** The files a sed script writes: `w file`, `s/a/b/w file`. */
function judgeSed(call: Call): void {
  const scripts = call.words
    .filter((word) => !/^-[nEriszu]+$/.test(word))
    .map((word) => word.replace(/^--expression=/, ""));
  for (const script of scripts) {
    for (const path of script.split(/[\n;]|(?<=[}])/).flatMap(sedWrites)) {
      const resolved = resolveIn(call.scope, path.replace(/^~(?=\/)/, call.scope.walk.place.home));
      call.scope.walk.findings.push(...findPathFaults(resolved, "write", call.scope.walk.place));
    }
  }
}

/** `cmake -E rm -rf x`: a small shell of its own. */
function runCmake(call: Call): void {
  // A folder that this line configures holds what the project says.
  for (const folder of flagValues(call, "-B")) writeFile(call.scope, folder, "");
  const at = call.args.indexOf("-E");
  if (at === -1) return;
  const [command = "", ...rest] = call.words.slice(at + 1);
  const words = command === "remove_directory" ? ["rm", "-rf", ...rest] : [command, ...rest];
  call.scope.walk.runWords(command === "chdir" ? rest.slice(1) : words, forkScope(call.scope), "");
}

/** Keys typed into a terminal that belongs to somebody. */
function runTyped(call: Call): void {
  const [command = ""] = call.operands;
  if (call.name === "screen" && !call.args.includes("stuff")) return;
  if (
    call.name === "tmux" &&
    !/^(?:send|send-keys|run|run-shell|if|if-shell|neww?|new-\w+|splitw?|split-window|respawn-\w+|pipe-pane)$/.test(
      command,
    )
  )
    return;
  for (const word of call.words.slice(1)) if (/\s/.test(word)) guessText(call.scope, word.replace(/\\n$/, ""));
  const at = call.words.findIndex((word) => word === command);
  guessText(
    call.scope,
    call.words
      .slice(at + 1)
      .filter((word) => !/^-|^(?:Enter|C-m)$/.test(word))
      .join(" "),
  );
}

/** `ansible HOST -m shell -a TEXT` and the like. */
function runAnsible(call: Call): void {
  for (const { text } of valuesAfter(call, new Map([["ansible", "-a --args"]]))) guessText(call.scope, text);
}

/** An editor's commands: `:!x`, `+!x`, `:w file`. */
function judgeEditor(call: Call): void {
  for (const word of call.words) {
    const path = /^\+?:?\s*(?:\d+,\d+)?(?:w|write|sav|saveas)!?\s+(\S+)$/.exec(word)?.[1];
    if (path !== undefined)
      call.scope.walk.findings.push(...findPathFaults(resolveIn(call.scope, path), "write", call.scope.walk.place));
  }
  runEscapes(call, /^\+?:?\s*(?:silent\s+)?!(.+)$|(?:system|os\.execute|systemlist|termopen)\(["']([^"']+)["']/g);
}

/** Code for `python -m timeit` stands in its words. */
function judgeTimeit(call: Call): void {
  if (call.args.includes("timeit")) judgeCode(call, call.words.map((word) => withoutUnknown(word)).join("\n"));
}

const special: ReadonlyMap<string, (call: Call) => void> = new Map(
  Object.entries<(call: Call) => void>({
    sed: judgeSed,
    gsed: judgeSed,
    cmake: runCmake,
    tmux: runTyped,
    screen: runTyped,
    ansible: runAnsible,
    vim: judgeEditor,
    vi: judgeEditor,
    nvim: judgeEditor,
    view: judgeEditor,
    ex: judgeEditor,
    ed: judgeEditor,
    less: judgeEditor,
    more: judgeEditor,
    make: runMake,
    gmake: runMake,
    bmake: runMake,
    python: judgeTimeit,
    sqlite3: (call) => {
      runEscapes(
        call,
        /(?:^|\n)[ \t]*\.(?:shell|system)\s+(.+)|(?:^|\n)[ \t]*\.load\s+(\S+)|\.(?:output|once|read)\s+\|(.+)/g,
      );
    },
    psql: (call) => {
      runEscapes(call, /\\!\s*(.*)|\\g?copy\b.*\bprogram\s+'([^']*)'|\b(?:to|from)\s+program\s+'([^']*)'/gi);
    },
    mysql: (call) => {
      runEscapes(call, /(?:^|[;\n])\s*(?:\\!|system\b)\s*(.+)/gi);
    },
    mariadb: (call) => {
      runEscapes(call, /(?:^|[;\n])\s*(?:\\!|system\b)\s*(.+)/gi);
    },
    ftp: (call) => {
      runEscapes(call, /^\s*!(.+)$/gm);
    },
    dc: (call) => {
      runEscapes(call, /(?:^|\s)!(.+)$/gm);
    },
    gdb: (call) => {
      runEscapes(call, /^(?:shell|!|make|pipe .*\|)\s*(.+)$/g);
    },
    lldb: (call) => {
      runEscapes(call, /^(?:platform\s+)?shell\s+(.+)$/g);
    },
    gcc: judgeCompiler,
    "g++": judgeCompiler,
    cc: judgeCompiler,
    clang: judgeCompiler,
    cargo: judgeCargo,
    npm: judgeScripts,
    pnpm: judgeScripts,
    yarn: judgeScripts,
    bun: judgeScripts,
    m4: runMacros,
    gm4: runMacros,
    split: runSplit,
    jq: judgeScripts,
    yq: judgeScripts,
  }),
);

/** `split --filter CMD` runs the command with parts of a file as its input. */
function runSplit(call: Call): void {
  const text = call.operands.map((path) => textOfFile(call.scope, path)).find((found) => found !== null) ?? call.input;
  for (const value of valuesAfter(call, new Map([["split", "--filter"]])))
    call.scope.walk.runText(value.text, forkScope(call.scope), text);
}

/** Macros that run commands, in what m4 reads. */
function runMacros(call: Call): void {
  const texts = call.operands.map((path) => textOfFile(call.scope, path) ?? "");
  const input = [call.input, ...texts].join("\n");
  runEscapes({ ...call, input }, /\be?syscmd\(\s*[`[]*([^)'\]]*)/g);
}

function judgeCompiler(call: Call): void {
  const at = call.args.indexOf("-wrapper");
  if (at !== -1) judgeHelper(call.scope, (call.words[at + 1] ?? "").split(",").join(" "), `${call.name} -wrapper`);
}

/** `cargo --config 'build.rustc-wrapper="x"'`. */
function judgeCargo(call: Call): void {
  for (const { text } of valuesAfter(call, new Map([["cargo", "--config"]]))) {
    const value = /(?:rustc|wrapper|runner|linker|rustdoc|credential-provider)["']?\s*=\s*["'[]*([^"'\]]*)/.exec(
      text,
    )?.[1];
    if (value !== undefined) judgeHelper(call.scope, value, "cargo --config");
  }
}

/** A text that hides a command behind this many characters is not one that a program reads as a line. */
const escapeCharsMax = 20_000;
