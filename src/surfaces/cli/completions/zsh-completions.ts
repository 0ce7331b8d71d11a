import type { CompletedCommand, CompletedOption } from "./completed-command.ts";

/** A script for zsh 5 and newer: a file `_ralph` in `$fpath`, or to be sourced. */
export function zshCompletions(commands: readonly CompletedCommand[]): string {
  const functions = commands.map((command) => functionOf(command, commands));
  return `#compdef ralph
# zsh completions for ralph, made by \`ralph completions zsh\`

# The runs that the word may mean: any part of an id is enough.
_ralph_runs() {
  local -a runs ids
  runs=(\${(f)"$(ralph completions runs "$PREFIX" 2>/dev/null)"})
  ids=(\${runs%%$'\\t'*})
  runs=(\${runs//$'\\t'/  })
  compadd -U -l -d runs -a ids
}

${functions.join("\n")}
if [[ $funcstack[1] == _ralph ]]; then
  _ralph "$@"
else
  compdef _ralph ralph
fi
`;
}

function functionOf(command: CompletedCommand, commands: readonly CompletedCommand[]): string {
  const hasBelow = commands.some(({ path }) => isBelow(path, command.path));
  const specs = [...command.options.map(optionSpec), ...positionalSpecs(command, hasBelow)];
  const body = `  _arguments -s ${hasBelow ? "-C " : ""}${specs.map((spec) => `\\\n    ${quoted(spec)}`).join(" ")}`;
  if (!hasBelow) return `${functionName(command.path)}() {\n${body}\n}\n`;
  const names = command.words.map(({ word, sentence }) => `      ${quoted(`${word}:${sentence}`)}`);
  const calls = command.words.map(
    ({ word }) => `        ${word}) ${functionName(`${command.path} ${word}`.trim())} ;;`,
  );
  return `${functionName(command.path)}() {
  local curcontext="$curcontext" state line
  local -a names
${body} && return
  case $state in
    name)
      names=(
${names.join("\n")}
      )
      _describe command names
      ;;
    rest)
      case $line[1] in
${calls.join("\n")}
      esac
      ;;
  esac
}
`;
}

function positionalSpecs({ words, takesFiles, takesRun }: CompletedCommand, hasBelow: boolean): string[] {
  if (hasBelow) return ["1: :->name", "*:: :->rest"];
  if (takesRun) return ["1:run:_ralph_runs"];
  if (takesFiles) return ["*:file:_files"];
  return words.length === 0 ? [] : [`1:argument:(${words.map(({ word }) => word).join(" ")})`];
}

function optionSpec({ short, long, value, sentence }: CompletedOption): string {
  const text = `[${sentence.replaceAll(/[[\]\\]/g, String.raw`\$&`)}]`;
  const kinds = { file: "_files", folder: "_files -/", text: "" };
  const wanted = value === null ? "" : `:${value.name}:${kinds[value.kind]}`;
  // One spec for both names; braces would need the shell to expand them.
  return short === null
    ? `${long}${text}${wanted}`
    : `(${short})${long}${text}${wanted}\0(${long})${short}${text}${wanted}`;
}

function isBelow(path: string, parent: string): boolean {
  const own = path.split(" ").slice(0, -1).join(" ");
  return path !== "" && own === parent;
}

function functionName(path: string): string {
  return ["_ralph", ...path.split(" ").filter((word) => word !== "")].join("_").replaceAll("-", "_");
}

function quoted(text: string): string {
  return text
    .split("\0")
    .map((part) => `'${part.replaceAll("'", String.raw`'\''`)}'`)
    .join(" ");
}
