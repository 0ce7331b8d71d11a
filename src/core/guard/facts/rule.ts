import type { Category, Tier } from "./judgement.ts";
import { withoutUnknown } from "./marks.ts";
import type { Scope } from "./scope.ts";

/** A program with its arguments, parsed for the rules. */
export type Call = {
  /** The program without its folder, in lower case. */
  name: string;
  /** The arguments, with marks. */
  words: readonly string[];
  /** The arguments when every unknown value is empty. */
  args: readonly string[];
  /** The arguments that are neither options nor their values. */
  operands: readonly string[];
  /** The options, as far as `--`. */
  flags: readonly string[];
  input: string;
  scope: Scope;
};

/** When a program is dangerous; as data wherever possible. */
export type Rule = {
  category: Category;
  tier: Tier;
  names: readonly string[];
  /** The first operands, in order; `a|b` is either, `*` any. */
  words?: readonly string[];
  /** At least one of these options is given. */
  flags?: readonly string[];
  /** None of these options is given. */
  without?: readonly string[];
  /** An argument looks like this. */
  argument?: RegExp;
  /** No argument looks like this. */
  unless?: RegExp;
  when?: (call: Call) => boolean;
  reason: string;
};

/** Reads a program's words. */
export function callOf(words: readonly string[], scope: Scope, input: string): Call {
  const name = programName(words[0] ?? "");
  const rest = words.slice(1);
  const args = rest.map((word) => withoutUnknown(word));
  const valueFlags = (programValueFlags.get(name) ?? "").split(" ");
  const operands: string[] = [];
  const flags: string[] = [];
  let hasEnded = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (hasEnded || !/^-./.test(word)) operands.push(word);
    else if (word === "--") hasEnded = true;
    else {
      flags.push(word);
      if (valueFlags.includes(word)) at += 1;
    }
  }
  return { name, words: rest, args, operands, flags, input, scope };
}

/** The program a word names: without folder and version of an interpreter, in lower case as macOS finds it. */
export function programName(word: string): string {
  const plain = withoutUnknown(word);
  // The program that this process runs is a shell.
  if (/^\/proc\/[^/]+\/exe$/.test(plain)) return "bash";
  const base = plain.split("/").at(-1) ?? "";
  return base
    .toLowerCase()
    .replace(/^(python|pip|ruby|perl|php|node|lua|bash|ksh|zsh|tclsh)[\d.-]+$/, "$1")
    .replace(/\.exe$/, "");
}

/** Whether a call meets all conditions of a rule. */
export function matches(rule: Rule, call: Call): boolean {
  if (rule.words?.every((word, index) => isOneOf(call.operands[index] ?? "", word)) === false) return false;
  if (rule.flags !== undefined && !hasFlag(call, ...rule.flags)) return false;
  if (rule.without !== undefined && hasFlag(call, ...rule.without)) return false;
  if (rule.argument !== undefined && !call.args.some((argument) => rule.argument?.test(argument) === true))
    return false;
  if (rule.unless !== undefined && call.args.some((argument) => rule.unless?.test(argument) === true)) return false;
  return rule.when === undefined || rule.when(call);
}

/** Whether an option is given: alone, in a cluster, with `=value`, or shortened as far as programs accept it. */
export function hasFlag(call: Call, ...names: readonly string[]): boolean {
  const taking = lettersWithValue.get(call.name);
  return call.flags.some((flag) => names.some((name) => isFlag(flag, name, taking)));
}

/** The values of an option: `-o x`, `-ox`, `--output x`, `--output=x`. */
export function flagValues(call: Call, ...names: readonly string[]): string[] {
  return call.args.flatMap((argument, index) => {
    const name = names.find((candidate) => argument === candidate);
    if (name !== undefined) return [call.words[index + 1] ?? ""];
    const long = names.find((candidate) => candidate.startsWith("--") && argument.startsWith(`${candidate}=`));
    if (long !== undefined) return [(call.words[index] ?? "").slice(long.length + 1)];
    const short = names.find((candidate) => /^-\w$/.test(candidate) && argument.startsWith(candidate));
    if (short !== undefined) return [(call.words[index] ?? "").slice(2)];
    return clusterValue(call, index, names);
  });
}

/** `-so x`, `-sox`: in a cluster the first letter that takes a value takes the rest, or the next word. */
function clusterValue(call: Call, index: number, names: readonly string[]): string[] {
  const word = call.words[index] ?? "";
  const taking = lettersWithValue.get(call.name) ?? "";
  const at = /^-\w\w/.test(word)
    ? word.split("").findIndex((letter, place) => place > 0 && taking.includes(letter))
    : -1;
  if (at < 2 || !names.includes(`-${word.charAt(at)}`)) return [];
  return [word.slice(at + 1) || (call.words[index + 1] ?? "")];
}

function isOneOf(word: string, choices: string): boolean {
  return choices === "*" ? word !== "" : choices.split("|").includes(word);
}

/** In a cluster a letter that takes a value ends it: `-sd@file` has `-d`, `-odata` has not. */
function isFlag(flag: string, name: string, taking: string | undefined): boolean {
  if (flag === name || flag.startsWith(`${name}=`)) return true;
  if (/^-\w$/.test(name)) {
    if (flag.startsWith("--")) return false;
    const ends = taking === undefined ? -1 : flag.split("").findIndex((letter) => taking.includes(letter));
    if (ends !== -1) return flag.slice(0, ends + 1).includes(name.charAt(1));
    return /^-\w+$/.test(flag) ? flag.includes(name.charAt(1)) : flag.startsWith(name);
  }
  return name.startsWith("--") && flag.length >= 4 && name.startsWith(flag);
}

/** Options before a subcommand that take the next word. */
const programValueFlags = new Map<string, string>(
  Object.entries({
    git: "-C -c --git-dir --work-tree --namespace --exec-path -o --push-option --receive-pack --repo",
    docker: "--context -c -H --host --config -l --log-level",
    podman: "--connection -c --url --log-level",
    kubectl: "-n --namespace --context --kubeconfig --cluster --user -s --server",
    helm: "-n --namespace --kube-context --kubeconfig",
    aws: "--profile --region --output --endpoint-url --query",
    gcloud: "--project --account --configuration --format --region --zone",
    az: "--subscription -o --output",
    npm: "--prefix -w --workspace --registry --userconfig -C",
    pnpm: "-C --dir --filter -F",
    yarn: "--cwd",
    pulumi: "-C --cwd -s --stack",
    systemctl: "-H --host -M --machine -p",
    psql: "-h -p -U -d",
    kill: "-s -n",
    pgrep: "-u -U -g -t -P -s --euid",
    pkill: "-u -U -g -t -P -s --signal --euid",
    killall: "-u -s --signal",
  }),
);

/** The one-letter options that take a value, for programs whose clusters matter. */
const lettersWithValue = new Map([
  ["curl", "AbcCdDeEFhHKmoPQrtTuUwxXyYz"],
  ["wget", "oaeiBtOTwQPUlARDIX"],
  ["sed", "efl"],
  ["gsed", "efl"],
]);
