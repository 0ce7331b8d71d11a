import { hasPattern, hasUnknown, marks } from "./marks.ts";
import type { Scope } from "./scope.ts";
import type { Part, Script, Word } from "../syntax/script.ts";

/** The values of a parameter, known or marked. Several only for `$@` and arrays. */
export function valueOfParameter(
  part: Extract<Part, { type: "parameter" }>,
  scope: Scope,
  expand: (word: Word) => string,
): readonly string[] {
  const { name, operator } = part;
  if (operator === "#" && part.argument.length === 0) return [marks.some];
  const values = plainValues(part, scope);
  const isSet = values.some((value) => value !== "");
  if (operator === ":-" || operator === "-" || operator === ":=" || operator === "=") {
    const fallback = [expand(part.argument)];
    if (operator.endsWith("=") && !scope.variables.has(name)) scope.variables.set(name, fallback);
    return isSet && !isUnknownValue(values) ? values : fallback;
  }
  if (operator === ":+" || operator === "+") return [isSet ? expand(part.argument) : ""];
  if (operator === ":?" || operator === "?") return isUnknownValue(values) ? [marks.some] : values;
  if (operator.startsWith("!")) return indirect(values, scope);
  if (operator === "") return values;
  return [changed(values.join(" "), operator, expand(part.argument))];
}

/** The text of a substituted command: its output without trailing line breaks. */
export function outputOfSubstitution(script: Script, output: string, scope: Scope): string {
  const words = firstWords(script);
  const isAnswer = (pattern: RegExp): boolean => pattern.test(words);
  if (isAnswer(/^pwd\b/)) return scope.cwd;
  if (isAnswer(/^git rev-parse --show-toplevel$/)) return scope.walk.place.workTree;
  if (isAnswer(/^mktemp\b/) && !isAnswer(/ -p| --tmpdir=|\//)) return `${scope.walk.place.tempFolder}/tmp.made`;
  if (isAnswer(madeToBeRun)) return marks.trusted;
  return output.replace(/\n+$/, "");
}

function plainValues({ name, index }: Extract<Part, { type: "parameter" }>, scope: Scope): readonly string[] {
  if (name === "@" || name === "*") return scope.positional?.slice(1) ?? [marks.unknown];
  if (/^\d+$/.test(name)) return scope.positional === null ? [marks.unknown] : [scope.positional[Number(name)] ?? ""];
  if (/^[#?$!-]$/.test(name)) return [marks.some];
  const own = scope.variables.get(name);
  if (own !== undefined) {
    if (index === "[@]" || index === "[*]") return own;
    const at = /^\[(\d+)\]$/.exec(index)?.[1];
    return [own[Number(at ?? 0)] ?? ""];
  }
  if (name === "HOME") return [scope.walk.place.home];
  if (name === "PWD") return [scope.cwd];
  if (name === "TMPDIR") return [scope.walk.place.tempFolder];
  // The parent is the agent: as protected as the first process.
  if (name === "PPID") return ["1"];
  if (name === "IFS") return [" \t\n"];
  if (alwaysSet.has(name)) return [marks.some];
  return [isSecretName(name) ? marks.secret : marks.unknown];
}

/** Whether a variable is named like a secret. */
export function isSecretName(name: string): boolean {
  return /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)(?:_|$)/i.test(name);
}

function isUnknownValue(values: readonly string[]): boolean {
  return values.every((value) => value === marks.unknown || value === marks.secret);
}

function indirect(values: readonly string[], scope: Scope): readonly string[] {
  return scope.variables.get(values.join("")) ?? [marks.unknown];
}

/** Evaluates the operators that people use to hide a word: cut, replace, change case. */
function changed(value: string, operator: string, argument: string): string {
  if (value === marks.unknown || value === marks.secret) return value;
  if (operator === ":") {
    const [from = 0, length] = argument.split(":").map(Number);
    return length === undefined ? value.slice(from) : value.slice(from, from + length);
  }
  if (operator.startsWith(",")) return value.toLowerCase();
  if (operator.startsWith("^")) return value.toLowerCase();
  if (operator === "//" || operator === "/") {
    const [find = "", replace = ""] = argument.split("/");
    if (find === "") return value;
    return operator === "/" ? value.replace(find, () => replace) : value.replaceAll(find, () => replace);
  }
  if (/^(?:##?|%%?)$/.test(operator) && !hasPattern(argument) && !hasUnknown(argument)) {
    if (operator.startsWith("#")) return value.startsWith(argument) ? value.slice(argument.length) : value;
    return argument !== "" && value.endsWith(argument) ? value.slice(0, -argument.length) : value;
  }
  return marks.unknown;
}

function firstWords(script: Script): string {
  const command = script[0]?.commands[0];
  if (script.length !== 1 || script[0]?.commands.length !== 1 || command?.type !== "simple") return "";
  return command.words.map((word) => word.map((part) => (part.type === "text" ? part.text : "?")).join("")).join(" ");
}

const alwaysSet = new Set([
  "USER",
  "LOGNAME",
  "UID",
  "EUID",
  "RANDOM",
  "SECONDS",
  "HOSTNAME",
  "SHELL",
  "PATH",
  "LINENO",
]);
const madeToBeRun =
  /^(?:ssh-agent|direnv (?:hook|export)|brew shellenv|(?:pyenv|rbenv|nodenv|jenv|goenv) init|fnm env|mise (?:activate|env)|opam env|dircolors|conda shell\.\w+|minikube docker-env|starship init|zoxide init)\b/;
