import { RalphError } from "../../../core/ralph-error.ts";
import type { CommandSpec, Input } from "../input/command-spec.ts";
import { bashCompletions } from "../completions/bash-completions.ts";
import { completedCommands } from "../completions/completed-command.ts";
import { fishCompletions } from "../completions/fish-completions.ts";
import { zshCompletions } from "../completions/zsh-completions.ts";

const shells = new Map([
  ["bash", bashCompletions],
  ["zsh", zshCompletions],
  ["fish", fishCompletions],
]);

/** `ralph completions`: a script for a shell, generated from the command tree of this version. */
export function completionsOf(tree: readonly CommandSpec[]): (input: Input) => Promise<number> {
  return async ({ arguments: [shell = ""] }) => {
    const script = shells.get(shell);
    if (script === undefined)
      throw new RalphError("usage", `There are no completions for "${shell}".`, "Give one of: bash, zsh, fish.");
    process.stdout.write(script(completedCommands(tree)));
    return 0;
  };
}
