import type { CommandSpec, OptionSpec } from "../input/command-spec.ts";

/** What a shell can propose for a value. */
export type ValueKind = "file" | "folder" | "text";

/** An option as shells complete it. */
export type CompletedOption = {
  short: string | null;
  long: string;
  /** Null: a switch. */
  value: { name: string; kind: ValueKind } | null;
  sentence: string;
};

/** A command with its place in the tree, such as `settings show`; the program itself has an empty path. */
export type CompletedCommand = {
  path: string;
  sentence: string;
  options: CompletedOption[];
  /** Commands below it, or what its argument may be. */
  words: { word: string; sentence: string }[];
  /** Its arguments are files. */
  takesFiles: boolean;
  /** Its argument is a run: `ralph completions runs` proposes some. */
  takesRun: boolean;
};

/** The whole tree, flat: the program first, then each command before those below it. */
export function completedCommands(tree: readonly CommandSpec[]): CompletedCommand[] {
  const own = { path: "", sentence: "", options: [help, version], words: tree.map(wordOf) };
  return [{ ...own, takesFiles: false, takesRun: false }, ...below(tree, "")];
}

function below(tree: readonly CommandSpec[], path: string): CompletedCommand[] {
  return tree.flatMap((spec) => {
    const own = `${path} ${spec.name}`.trim();
    const choices = (spec.choices ?? []).map((word) => ({ word, sentence: "" }));
    const command = {
      path: own,
      sentence: spec.sentence,
      // A separate program has its own help.
      options: [...spec.options.map(readOption), ...(spec.isPassThrough === true ? [] : [help])],
      words: spec.commands?.map(wordOf) ?? choices,
      takesFiles: spec.isPassThrough === true,
      takesRun: spec.parameters === "[run]",
    };
    return [command, ...below(spec.commands ?? [], own)];
  });
}

function wordOf({ name, sentence }: CommandSpec): { word: string; sentence: string } {
  return { word: name, sentence };
}

const help: CompletedOption = { short: "-h", long: "--help", value: null, sentence: "show what there is" };
const version: CompletedOption = { short: "-v", long: "--version", value: null, sentence: "print the version" };

/** Reads commander's notation: `-p, --prompt <text>`. */
function readOption({ flags, sentence }: OptionSpec): CompletedOption {
  const name = /[<[]([^>\].]+)/.exec(flags)?.[1];
  return {
    short: /(?:^|\s)(-\w)\b/.exec(flags)?.[1] ?? null,
    long: /--[\w-]+/.exec(flags)?.[0] ?? flags,
    value: name === undefined ? null : { name, kind: valueKinds[name] ?? "text" },
    sentence,
  };
}

/** By the placeholder's name. */
const valueKinds: Record<string, ValueKind> = { path: "file", file: "file", dir: "folder" };
