import type { CompletedCommand, CompletedOption } from "./completed-command.ts";

/** A script for fish 3 and newer. */
export function fishCompletions(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => [
    ...command.words.map(({ word, sentence }) => `${complete(command)} -a ${word}${described(sentence)}`),
    ...command.options.map((option) => `${complete(command)} ${optionWords(option)}${described(option.sentence)}`),
    ...(command.takesFiles ? [`${complete(command)} -F`] : []),
    ...(command.takesRun ? [`${complete(command)} -a '(ralph completions runs (commandline -ct) 2>/dev/null)'`] : []),
  ]);
  return `# fish completions for ralph, made by \`ralph completions fish\`

# Whether an option of a command takes a value.
function __ralph_takes_value
    switch "$argv[1] $argv[2]"
        case ${valueNames(commands)}
            return 0
    end
    return 1
end

# Whether the words before the cursor name this command and none below it.
function __ralph_at
    set -l words (commandline -opc)
    set -l path
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
        else if __ralph_takes_value "$path" $word
            set skip 1
        else if not string match -q -- '-*' $word
            set -a path $word
            contains -- "$path" ${paths(commands)}; or set -e path[-1]
        end
    end
    test "$path" = "$argv[1]"
end

complete -c ralph -f
${lines.join("\n")}
`;
}

function complete({ path }: CompletedCommand): string {
  return `complete -c ralph -n "__ralph_at '${path}'"`;
}

function optionWords({ short, long, value }: CompletedOption): string {
  const names = [...(short === null ? [] : [`-s ${short.slice(1)}`]), `-l ${long.slice(2)}`];
  if (value === null) return names.join(" ");
  const kinds = { file: "-r -F", folder: "-x -a '(__fish_complete_directories)'", text: "-x" };
  return [...names, kinds[value.kind]].join(" ");
}

function described(sentence: string): string {
  return sentence === "" ? "" : ` -d ${quoted(sentence)}`;
}

function valueNames(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ short, long, value }) =>
        value === null ? [] : [short, long].filter((name) => name !== null).map((name) => quoted(`${path} ${name}`)),
      ),
    )
    .join(" ");
}

function paths(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== "")
    .map(({ path }) => quoted(path))
    .join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
