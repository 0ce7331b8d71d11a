import { judgeCode } from "./code-texts.ts";
import { isForeignScript } from "./facts/call-context.ts";
import { isReadText, textOfFile } from "./facts/file-texts.ts";
import { hasUnknown, isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { hasFlag, programName, type Call } from "./facts/rule.ts";
import { forkScope, report, resolveIn } from "./facts/scope.ts";

/** Runs what a shell is given: text, a file this line wrote, or its input. Returns what it writes. */
export function runShell(call: Call): string {
  const { scope, words, args } = call;
  let at = 0;
  let hasText = false;
  while (at < args.length && /^[-+]./.test(args[at] ?? "")) {
    const flag = args[at] ?? "";
    at += 1;
    if (flag === "--") break;
    if (/^-\w*c/.test(flag) || /^-(?:-command|Command)$/.test(flag)) hasText = true;
    if (flag.startsWith("--command="))
      return runFeed((words[at - 1] ?? "").slice("--command=".length), call, "a shell runs a text nobody can read");
    if (/^--(?:rcfile|init-file)(?:=|$)/.test(flag)) runStartFile(call, at);
    if (/^[-+]\w*[oO]$/.test(flag) || /^--(?:rcfile|init-file)$/.test(flag)) at += 1;
    if (/^-\w*n/.test(flag) && flag.length === 2) return marks.unknown;
    if (flag === "-i" && !hasText) reportInteractive(call);
  }
  const rest = words.slice(at);
  if (hasText) {
    const inner = forkScope(scope, { positional: rest.slice(1).length > 0 ? rest.slice(1) : ["sh"] });
    return runFeed(rest[0] ?? "", { ...call, scope: inner }, "a shell runs a text nobody can read");
  }
  const [file] = rest;
  const isInput =
    file === undefined || hasFlag(call, "-s") || /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(withoutUnknown(file));
  if (isInput) return runInput(call);
  return runFile(file, call, rest);
}

/** Judges a text that will run as commands; a downloaded or hidden text is refused for that reason alone. */
export function runFeed(text: string, call: Call, reason: string): string {
  const { scope } = call;
  const words = [call.name, ...call.words];
  if (text.includes(marks.download)) {
    report(scope, { category: 4, tier: "block", reason: "runs what was just downloaded" }, words);
  }
  if (text.includes(marks.decoded) || text.includes(marks.printed)) {
    report(scope, { category: 12, tier: "block", reason: "runs a text that was encoded" }, words);
  }
  const isUnreadable = isAllUnknown(text) && !text.includes(marks.file) && !text.includes(marks.trusted);
  if (isUnreadable || text.includes(marks.altered)) report(scope, { category: 12, tier: "block", reason }, words);
  return scope.walk.runText(text, scope, call.input);
}

/** Runs a script or program: one that this line wrote is judged by what was written. */
export function runFile(word: string, call: Call, positional: readonly string[]): string {
  const { scope } = call;
  const isProcessOutput = /[\n ]/.test(word) || word.includes(marks.download) || word.includes(marks.decoded);
  const text = isProcessOutput ? word : textOfFile(scope, word);
  if (text === null) return marks.unknown;
  const name = isProcessOutput ? null : interpreterOf(text);
  if (name !== null) {
    judgeCode({ ...call, name }, text, true);
    return marks.unknown;
  }
  return runFeed(text, { ...call, scope: forkScope(scope, { positional }) }, "runs a text nobody can read");
}

/** The program that the first line of a script asks for; null for a shell, and for a script that names none. */
function interpreterOf(text: string): string | null {
  const [, first = "", second = ""] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(text.slice(0, 200)) ?? [];
  const name = programName(first.endsWith("/env") ? second : first);
  return name === "" || shells.has(name) ? null : name;
}

/** `--rcfile FILE`: the file is run like a script; `at` is the word after the option. */
function runStartFile(call: Call, at: number): void {
  const option = call.words[at - 1] ?? "";
  const word = option.includes("=") ? option.slice(option.indexOf("=") + 1) : (call.words[at] ?? "");
  runFile(word, call, []);
  if (!isForeignScript(resolveIn(call.scope, word), call.scope.walk.place)) return;
  const reason = `runs ${withoutUnknown(word)}, which anybody could have written`;
  report(call.scope, { category: 12, tier: "block", reason }, [call.name, ...call.words]);
}

/** Runs code in another language, from its arguments or its input. */
export function runInterpreter(call: Call): void {
  const flags = codeFlags.get(call.name) ?? [];
  const at = call.args.findIndex((word) =>
    flags.some((flag) => word === flag || (/^-\w+$/.test(word) && /^-\w$/.test(flag) && word.endsWith(flag.charAt(1)))),
  );
  const isEditing =
    call.flags.some((flag) => /^-[a-zA-HJ-LN-Z]*[pi]/.test(flag)) && (call.name === "perl" || call.name === "ruby");
  if (at !== -1) return judgeCode(call, call.words[at + 1] ?? "", isEditing);
  const [first] = call.operands;
  if (first !== undefined && first !== "-") return judgeWritten(call);
  const isInput = !call.args.some((word) => /^-(?:m|h|V|v|-)/.test(word));
  if (!isInput || call.input === "") return;
  if (call.input.includes(marks.download)) {
    report(call.scope, { category: 4, tier: "block", reason: "runs what was just downloaded" }, [
      call.name,
      ...call.words,
    ]);
  }
  if (call.input !== marks.file) judgeCode(call, call.input, isReadText(call.scope, call.input));
}

/** A program file that the same line wrote or downloaded, or the output of a process substitution. */
function judgeWritten(call: Call): void {
  const word = call.words.find((candidate) => !/^-./.test(candidate)) ?? "";
  const isOutput = word.includes("\n") || word.includes(marks.download) || word.includes(marks.decoded);
  const code = isOutput ? word : textOfFile(call.scope, word);
  if (code === null) return;
  if (code.includes(marks.download)) {
    const reason = "runs what was just downloaded";
    report(call.scope, { category: 4, tier: "block", reason }, [call.name, ...call.words]);
  }
  judgeCode(call, code, true);
}

function runInput(call: Call): string {
  const { input, scope } = call;
  if (input === "" || input === marks.file) return marks.unknown;
  const isFromElsewhere = [marks.download, marks.decoded, marks.printed].some((mark) => input.includes(mark));
  const isAltered = input.includes(marks.altered);
  if (isAltered || (!isFromElsewhere && isAllUnknown(input))) {
    report(scope, { category: 12, tier: "warn", reason: "a shell runs what another program writes" }, [
      call.name,
      ...call.words,
    ]);
    if (!isAltered) return marks.unknown;
  }
  const output = runFeed(
    input.replaceAll(marks.altered, ""),
    { ...call, input: "" },
    "a shell runs a text nobody can read",
  );
  return hasUnknown(output) ? marks.unknown : output;
}

function reportInteractive(call: Call): void {
  if (call.input === "") return;
  report(call.scope, { category: 5, tier: "block", reason: "an interactive shell is fed by another program" }, [
    call.name,
    ...call.words,
  ]);
}

const codeFlags = new Map<string, readonly string[]>(
  Object.entries({
    python: ["-c"],
    pypy: ["-c"],
    node: ["-e", "--eval", "-p", "--print"],
    nodejs: ["-e", "--eval", "-p"],
    bun: ["-e", "--eval"],
    deno: ["eval"],
    perl: ["-e", "-E"],
    ruby: ["-e"],
    php: ["-r"],
    lua: ["-e"],
    osascript: ["-e"],
    rscript: ["-e"],
    r: ["-e"],
    julia: ["-e", "-E"],
    elixir: ["-e"],
    erl: ["-eval"],
    groovy: ["-e"],
    scala: ["-e"],
    clojure: ["-e"],
    ocaml: ["-e"],
    guile: ["-c"],
    racket: ["-e"],
    sbcl: ["--eval"],
    octave: ["--eval"],
    raku: ["-e"],
    tsx: ["-e", "--eval"],
    "ts-node": ["-e", "--eval"],
    ghc: ["-e"],
    tclsh: [],
    wish: [],
    jshell: [],
  }),
);

/** Programs that read code in another language. */
export const interpreters = new Set(codeFlags.keys());

/** Programs that read commands of the shell. */
export const shells = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "ash",
  "fish",
  "rbash",
  "mksh",
  "csh",
  "tcsh",
  "yash",
  "pwsh",
  "powershell",
  "invoke-expression",
  "iex",
]);
