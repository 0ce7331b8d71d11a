import { judgeAssignment } from "./environment.ts";
import { isForeignKill } from "./facts/foreign-kill.ts";
import { isAllUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { flagValues, hasFlag, type Call } from "./facts/rule.ts";
import { downloaders } from "./rules/network.ts";
import { resolveIn } from "./facts/scope.ts";
import { decodeAnsi } from "./syntax/decode-ansi.ts";

/** A program's output as far as its arguments and input determine it; marks give the origin of the rest. */
export function outputOf(call: Call): string {
  if (downloaders.has(call.name)) return marks.download;
  const known = makers.get(call.name);
  if (known !== undefined) return known(call);
  if (decoders.has(call.name)) return marks.decoded + marks.unknown;
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
    tac: (call) => call.input,
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
    openssl: (call) => (hasFlag(call, "-d") ? marks.decoded + marks.unknown : marks.unknown),
    tr: () => marks.decoded + marks.unknown,
    which: (call) => call.operands.join("\n"),
    dirname: (call) => call.words.map((word) => dirname(word)).join("\n"),
    realpath: (call) => call.operands.map((path) => resolveIn(call.scope, path)).join("\n"),
    readlink: (call) => call.operands.map((path) => resolveIn(call.scope, path)).join("\n"),
    pgrep: (call) => (isForeignKill(call) ? firstProcess : marks.unknown),
    ps: (call) => (isEveryProcess(call) ? firstProcess : marks.unknown),
  }),
);

/** Ending all processes includes the first one, which represents them. */
const firstProcess = "1";

/** `ps -e -o pid=` prints only numbers, so no later command can filter by name. */
function isEveryProcess(call: Call): boolean {
  const isAll =
    hasFlag(call, "-e", "-A") || call.operands.some((word) => /^-?[aux]+$/.test(word) && word.includes("x"));
  return isAll && flagValues(call, "-o", "--format").some((value) => /^pid=?$/.test(value));
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
  const origin = [marks.download, marks.decoded, marks.secret].filter((mark) => input.includes(mark));
  return origin.join("") + marks.unknown;
}

function readFiles(call: Call, paths: readonly string[]): string {
  if (paths.length === 0) return call.input;
  const texts = paths.map((path) => {
    if (path === "-") return call.input;
    if (/^\/dev\/(?:zero|u?random)$/.test(path)) return marks.endless;
    return call.scope.files.get(resolveIn(call.scope, path)) ?? marks.file;
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
