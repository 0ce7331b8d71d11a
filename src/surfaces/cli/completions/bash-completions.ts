import type { CompletedCommand } from "./completed-command.ts";

/** A script for bash 3.2 and newer; it needs no package for completions. */
export function bashCompletions(commands: readonly CompletedCommand[]): string {
  const named = (list: (command: CompletedCommand) => string[]): string =>
    commands
      .map((command) => ({ path: command.path, words: list(command) }))
      .filter(({ words }) => words.length > 0)
      .map(({ path, words }) => `    "${path}") echo "${words.join(" ")}" ;;\n`)
      .join("");
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ short, long, value }) => {
      if (value === null) return [];
      const names = [short, long].filter((name) => name !== null).map((name) => `"${path} ${name}"`);
      return [`    ${names.join(" | ")}) echo ${value.kind} ;;\n`];
    }),
  );
  return `# bash completions for ralph, made by \`ralph completions bash\`

# The commands and arguments below a command.
_ralph_words() {
  case "$1" in
${named(({ words }) => words.map(({ word }) => word))}  esac
}

_ralph_options() {
  case "$1" in
${named(({ options }) => options.flatMap(({ short, long }) => (short === null ? [long] : [short, long])))}  esac
}

# What the value of an option is; nothing for a switch.
_ralph_value() {
  case "$1 $2" in
${values.join("")}  esac
}

_ralph() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" option="" word="" index=0 kind="" IFS=$' \\t\\n'
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ -n $option ]]; then
      [[ $word == "=" ]] || option=""
    elif [[ -n $(_ralph_value "$path" "$word") ]]; then
      option="$word"
    elif [[ $word != -* && " $(_ralph_words "$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
    fi
  done
  [[ $current == "=" ]] && current=""
  kind="$(_ralph_value "$path" "$option")"
  case "$path" in ${pathsOf(commands.filter(({ takesFiles }) => takesFiles))}) [[ -z $kind && $current != -* ]] && kind=file ;; esac
  case "$path" in ${pathsOf(commands.filter(({ takesRun }) => takesRun))}) [[ -z $kind && $current != -* ]] && kind=run ;; esac
  case "$kind" in
    file) compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")) ;;
    folder) compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$current")) ;;
    run) IFS=$'\\n'; COMPREPLY=($(ralph completions runs "$current" 2>/dev/null | cut -f1)) ;;
    text) ;;
    *)
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(_ralph_options "$path")" -- "$current"))
      else
        COMPREPLY=($(compgen -W "$(_ralph_words "$path")" -- "$current"))
      fi
      ;;
  esac
}

complete -F _ralph ralph
`;
}

/** A pattern that matches the paths of these commands; without any, nothing. */
function pathsOf(commands: readonly CompletedCommand[]): string {
  return commands.length === 0 ? '"/"' : commands.map(({ path }) => `"${path}"`).join(" | ");
}
