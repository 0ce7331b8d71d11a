import { hasPattern, hasUnknown, marks, plainPatterns } from "./marks.ts";
import { isGlobMatch } from "./glob-match.ts";
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
  if (operator.startsWith("!")) return plainValues({ ...part, name: values.join(""), index: "" }, scope);
  if (operator === "") return values;
  if (operator === ":" && (name === "@" || /^\[[@*]\]$/.test(part.index))) {
    const [from = 0, length] = expand(part.argument).split(":").map(Number);
    return values.slice(from, length === undefined ? undefined : from + length);
  }
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

function plainValues(part: Extract<Part, { type: "parameter" }>, scope: Scope): readonly string[] {
  const { name, index } = part;
  if (name === "@" || name === "*") return scope.positional?.slice(1) ?? [marks.unknown];
  if (name === "0" && scope.positional === null) return ["bash"];
  if (/^\d+$/.test(name)) return scope.positional === null ? [marks.unknown] : [scope.positional[Number(name)] ?? ""];
  if (/^[#?$!-]$/.test(name)) return [marks.some];
  const referred = scope.variables.get(`&${name}`)?.join("");
  if (referred !== undefined && referred !== name) return plainValues({ ...part, name: referred }, scope);
  const element = scope.variables.get(`${name}${index.replaceAll(/["']/g, "")}`);
  const own = index !== "" && element !== undefined ? element : scope.variables.get(name);
  if (own !== undefined) {
    if (index === "[@]" || index === "[*]" || (index !== "" && own === element)) return own;
    const at = /^\[(\d+)\]$/.exec(index)?.[1];
    return [own[Number(at ?? 0)] ?? ""];
  }
  if (name === "HOME") return [scope.walk.place.home];
  if (name === "PWD") return [scope.cwd];
  if (name === "TMPDIR") return [scope.walk.place.tempFolder];
  // The parent is the agent: as protected as the first process.
  if (name === "PPID") return [`${marks.harness}1`];
  if (name === "IFS") return [" \t\n"];
  if (name === "SHELL" || name === "BASH") return ["/bin/bash"];
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
  if (/^(?:##?|%%?)$/.test(operator) && !hasUnknown(argument) && !hasUnknown(value))
    return cut(value, operator, argument);
  return marks.unknown;
}

/** Removes the shortest or longest part at an end that matches a pattern: `${PWD%/*}`. */
function cut(value: string, operator: string, pattern: string): string {
  if (value.length > valueCharsMax || pattern.length > patternCharsMax) return marks.unknown;
  const isSuffix = operator.startsWith("%");
  const isLongest = operator.length === 2;
  for (let step = 0; step <= value.length; step += 1) {
    const length = isLongest ? value.length - step : step;
    const part = isSuffix ? value.slice(value.length - length) : value.slice(0, length);
    if (isGlobMatch(part, plainPatterns(pattern)))
      return isSuffix ? value.slice(0, value.length - length) : value.slice(length);
  }
  return value;
}

/** Longer ones are not followed: no line may keep the guard busy. */
const valueCharsMax = 500;
const patternCharsMax = 40;

function firstWords(script: Script): string {
  const command = script[0]?.commands[0];
  if (script.length !== 1 || script[0]?.commands.length !== 1 || command?.type !== "simple") return "";
  return command.words.map((word) => word.map((part) => (part.type === "text" ? part.text : "?")).join("")).join(" ");
}

const alwaysSet = new Set(["USER", "LOGNAME", "UID", "EUID", "RANDOM", "SECONDS", "HOSTNAME", "PATH", "LINENO"]);
const madeToBeRun =
  /^(?:ssh-agent|direnv (?:hook|export)|brew shellenv|(?:pyenv|rbenv|nodenv|jenv|goenv) init|fnm env|mise (?:activate|env)|opam env|dircolors|conda shell\.\w+|minikube docker-env|starship init|zoxide init)\b/;
