import { judgeAssignment } from "./environment.ts";
import { isForeignKill, isHarness, isHarnessProgram } from "./facts/foreign-kill.ts";
import { showsNoSecrets } from "./facts/environment-output.ts";
import { isReadText, textOfFile } from "./facts/file-texts.ts";
import { isHarnessFile } from "./facts/harness-files.ts";
import { hasPattern, isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { flagValues, hasFlag, type Call } from "./facts/rule.ts";
import { downloaders } from "./rules/network.ts";
import { interpreters } from "./shells.ts";
import { resolveIn } from "./facts/scope.ts";
import { decodeAnsi } from "./syntax/decode-ansi.ts";

/** A program's output as far as its arguments and input determine it; marks give the origin of the rest. */
export function outputOf(call: Call): string {
  if (downloaders.has(call.name)) return marks.download;
  if (call.input.includes(marks.environment)) return showsNoSecrets(call) ? marks.unknown : marks.environment;
  if (call.args.some((word) => word.includes("/") && isOfHarness(call, word))) return marks.harness;
  const known = makers.get(call.name);
  if (known !== undefined) return known(call);
  if (decoders.has(call.name)) return marks.decoded + marks.unknown;
  // What code prints, nobody reads before it runs.
  if (interpreters.has(call.name) && call.args.some((word) => /^-(?:\w*[ceEpr]|-eval|-print)$/.test(word)))
    return marks.printed + marks.unknown;
  return passOn(call.input);
}

const makers = new Map<string, (call: Call) => string>(
  Object.entries({
    echo: (call) => {
      const [first = "", ...rest] = call.words;
      const isFlag = /^-[neE]+$/.test(first);
      const text = (isFlag ? rest : call.words).join(" ");
      return `${isFlag && first.includes("e") ? decodeEscapes(text) : text}${isFlag && first.includes("n") ? "" : "\n"}`;
    },
    printf: (call) => {
      const [first, name = ""] = call.words;
      const words = call.words.slice(first === "-v" ? 2 : Number(first === "--"));
      const text = formatWords(words[0] ?? "", words.slice(1));
      if (first !== "-v") return text;
      judgeAssignment(call.scope, name, text);
      call.scope.variables.set(name, [text]);
      return "";
    },
    cat: (call) => readFiles(call, call.operands),
    tee: (call) => call.input,
    tac: selectLines,
    head: (call) => (hasFlag(call, "-c", "--bytes") ? alterText(call) : selectLines(call)),
    tail: (call) => (hasFlag(call, "-c", "--bytes") ? alterText(call) : selectLines(call)),
    sort: selectLines,
    uniq: selectLines,
    shuf: selectLines,
    pv: selectLines,
    dd: (call) =>
      textOfFile(call.scope, call.words.find((word) => word.startsWith("if="))?.slice(3) ?? "") ?? passOn(call.input),
    envsubst: alterText,
    cut: alterText,
    nl: alterText,
    strings: alterText,
    fold: alterText,
    expand: alterText,
    iconv: alterText,
    yes: () => marks.endless,
    pwd: (call) => `${call.scope.cwd}\n`,
    base64: (call) => {
      if (!hasFlag(call, "-d", "-D", "--decode")) return call.operands.length > 0 ? marks.file : passOn(call.input);
      return marks.decoded + (decodeBase64(withoutUnknown(call.input)) ?? marks.unknown);
    },
    rev: (call) =>
      marks.decoded +
      call.input
        .split("\n")
        .map((line) => line.split("").reduce((all, letter) => letter + all, ""))
        .join("\n"),
    xxd: (call) => (hasFlag(call, "-r") ? marks.decoded + decodeHex(withoutUnknown(call.input)) : marks.unknown),
    openssl: (call) => (call.operands[0] === "s_client" ? marks.download : decodedBy(call)),
    tr: (call) => marks.decoded + passOn(call.input),
    which: (call) => call.operands.join("\n"),
    basename: (call) =>
      call.flags.length === 0 && call.words.length === 1
        ? ((call.words[0] ?? "").split("/").at(-1) ?? "")
        : marks.unknown,
    dirname: (call) => call.words.map((word) => dirname(word)).join("\n"),
    realpath: (call) => call.operands.map((path) => resolveIn(call.scope, path)).join("\n"),
    readlink: (call) => call.operands.map((path) => resolveIn(call.scope, path)).join("\n"),
    pgrep: (call) => (isForeignKill(call) ? marks.harness : marks.unknown),
    pidof: (call) => (isForeignKill(call) ? marks.harness : marks.unknown),
    ps: listProcesses,
    // With -d it repeats its words; patterns in them stand for what they match.
    ls: (call) => {
      if (call.operands.some((path) => resolveIn(call.scope, path) === "/proc")) return marks.processes;
      return hasFlag(call, "-d") ? call.words.filter((word) => !word.startsWith("-")).join("\n") : passOn(call.input);
    },
    pstree: (call) => (call.operands.length === 0 || hasFlag(call, "-s") ? marks.processes : marks.unknown),
    docker: listContainers,
    podman: listContainers,
    nerdctl: listContainers,
    kubectl: (call) => (call.operands[0] === "get" ? marks.listing : marks.unknown),
    "redis-cli": (call) =>
      hasFlag(call, "--scan") || /^keys$/i.test(call.operands[0] ?? "") ? marks.listing : marks.unknown,
    top: () => marks.processes,
    lsof: (call) => (isOpenedByHarness(call) ? marks.harness : marks.unknown),
    grep: filterProcesses,
    egrep: filterProcesses,
    rg: filterProcesses,
    awk: filterProcesses,
    gawk: filterProcesses,
    sed: filterProcesses,
  }),
);

/** `ps -p` and `ps -C` show some processes, and a parent is one of the harness. */
function listProcesses(call: Call): string {
  if (flagValues(call, "-o", "--format").some((value) => /ppid/.test(value))) return marks.harness;
  const chosen = flagValues(call, "-C").some((name) => isHarness(name));
  if (chosen) return marks.harness;
  return hasFlag(call, "-p", "-q", "-C", "--pid", "--ppid") ? marks.unknown : marks.processes;
}

/** `docker ps -q` without a filter names every container. */
function listContainers(call: Call): string {
  const isListing = /^(?:ps|images|(?:volume|container|image|network|service) ls|container ps)(?: |$)/.test(
    call.operands.join(" "),
  );
  return isListing && hasFlag(call, "-q", "--quiet", "-aq") && !hasFlag(call, "-f", "--filter")
    ? marks.listing
    : marks.unknown;
}

/** A pattern chooses processes by name; what it does not choose by stays a list of all of them. */
function filterProcesses(call: Call): string {
  const isTool = /^(?:[ef]?grep|rg)$/.test(call.name);
  if (!call.input.includes(marks.processes)) return isTool ? selectLines(call) : alterText(call);
  if (isTool && hasFlag(call, "-v", "--invert-match")) return call.input;
  const patterns = isTool ? call.operands.slice(0, 1) : patternsIn(call.args);
  if (patterns.every(isNumber)) return call.input;
  // The lines are still those of processes: another pattern may choose among them.
  return patterns.some((pattern) => isHarness(pattern)) ? marks.processes + marks.harness : marks.unknown;
}

/** Some lines of the input or of files: as a whole they say everything that the lines can say. */
function selectLines(call: Call): string {
  const text = textsNamed(call) ?? call.input;
  // Some of what a pattern stands for is not all of it.
  if (hasPattern(text) || withoutUnknown(text).trim() === "") return passOn(call.input);
  return text.replaceAll(new RegExp(`[${marks.endless}${marks.file}]`, "g"), marks.unknown);
}

/** What a program may have changed is judged as it was, and counts as unreadable too. */
function alterText(call: Call): string {
  const text = textsNamed(call) ?? (isReadText(call.scope, call.input) ? call.input : null);
  return text === null ? passOn(call.input) : text + marks.altered;
}

function textsNamed(call: Call): string | null {
  const texts = call.operands.map((path) => textOfFile(call.scope, path)).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join("");
}

/** `[0-9]+` finds the number of every process. */
function isNumber(pattern: string): boolean {
  return /\[|\\d/.test(pattern) && !/[a-z]/i.test(pattern.replaceAll(/\\[dswb]|\[:\w{1,9}:\]/g, ""));
}

/** The expressions of an awk or sed program: `/x/`, `~ "x"`, `== "x"`. */
function patternsIn(programs: readonly string[]): string[] {
  return programs.flatMap((program) =>
    [...program.matchAll(/\/([^/]+)\/|(?:~|==|index\(\$\w+,)\s*"([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? ""),
  );
}

function isOfHarness(call: Call, path: string): boolean {
  return isHarnessFile(resolveIn(call.scope, path), call.scope.walk.place);
}

/** Who has the program of the harness open is the harness. */
function isOpenedByHarness(call: Call): boolean {
  const isNamed = call.operands.some((path) => isHarnessProgram(path) || isOfHarness(call, path));
  return isNamed || flagValues(call, "-c").some((name) => isHarness(name));
}

function decodedBy(call: Call): string {
  return hasFlag(call, "-d") ? marks.decoded + marks.unknown : marks.unknown;
}

function dirname(path: string): string {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return at === -1 ? "." : path.slice(0, at) || "/";
}

/** Programs that decode unreadable text. */
const decoders = new Set([
  "base32",
  "uudecode",
  "gunzip",
  "zcat",
  "bzcat",
  "xzcat",
  "gzip",
  "bunzip2",
  "unxz",
  "zstdcat",
  "gpg",
  "tr",
]);

/** A program that changes a text does not change its origin. */
function passOn(input: string): string {
  const origin = [
    marks.download,
    marks.decoded,
    marks.secret,
    marks.processes,
    marks.harness,
    marks.listing,
    marks.printed,
  ].filter((mark) => input.includes(mark));
  return origin.join("") + marks.unknown;
}

function readFiles(call: Call, paths: readonly string[]): string {
  if (paths.length === 0) return call.input;
  const texts = paths.map((path) => {
    if (path === "-") return call.input;
    if (/^\/dev\/(?:zero|u?random)$/.test(path)) return marks.endless;
    if (isOfHarness(call, path)) return marks.harness;
    return textOfFile(call.scope, path) ?? marks.file;
  });
  // A process substitution provides its output in place of a path.
  return texts.join("");
}

/** Escapes by number hide what they spell. */
function decodeEscapes(text: string): string {
  return (/\\(?:x[0-9a-f]|[0-7]{3}|u[0-9a-f])/i.test(text) ? marks.decoded : "") + decodeAnsi(text);
}

function formatWords(format: string, values: readonly string[]): string {
  const rest = [...values];
  const once = (): string =>
    decodeEscapes(format).replaceAll(/%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g, (whole, kind: string | undefined) => {
      if (kind === undefined) return whole === "%%" ? "%" : whole;
      const value = rest.shift() ?? "";
      return kind === "b" ? decodeEscapes(value) : value;
    });
  const lines = [once()];
  while (rest.length > 0 && lines.length < repeatsMax && /%[^%]/.test(format)) lines.push(once());
  return lines.join("");
}

function decodeBase64(text: string): string | null {
  const clean = text.replaceAll(/[\s=]/g, "");
  if (clean === "" || !/^[\w+/-]+$/.test(clean)) return null;
  let bits = 0;
  let held = 0;
  let decoded = "";
  for (const letter of clean) {
    bits = ((bits << 6) | base64Letters.indexOf(letter.replace("-", "+").replace("_", "/"))) & 0xff_ff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    decoded += String.fromCharCode((bits >> held) & 0xff);
  }
  return isAllUnknown(decoded) ? null : decoded;
}

function decodeHex(text: string): string {
  const pairs = text.replaceAll(/[^0-9a-f]/gi, "").match(/../g) ?? [];
  return pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** `printf` repeats its format; more repetitions add nothing new. */
const repeatsMax = 100;
