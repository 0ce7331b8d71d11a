import { proposedRuns } from "../../../app/query/find/proposed-runs.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { wireStore } from "../../../shell/wire-store.ts";
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

/**
 * `ralph completions`: a script for a shell, generated from the command tree of this version. The scripts call it with the
 * word `runs` for the runs that a word on the command line may mean.
 */
export function completionsOf(tree: readonly CommandSpec[]): (input: Input) => Promise<number> {
  return async ({ arguments: [shell = "", part = ""] }) => {
    if (shell === "runs") return printRuns(part);
    const script = shells.get(shell);
    if (script === undefined)
      throw new RalphError("usage", `There are no completions for "${shell}".`, "Give one of: bash, zsh, fish.");
    process.stdout.write(script(completedCommands(tree)));
    return 0;
  };
}

/** One line per run: its id, and what tells it from others. A shell shows no errors: problems are left to other commands. */
async function printRuns(part: string): Promise<number> {
  const machine = await wireStore();
  const found = await proposedRuns({ ...machine, onProblem: () => {} }, { directory: process.cwd(), part });
  await machine.store.close();
  process.stdout.write(found.map(({ id, words }) => `${id}\t${cleanLine(words)}\n`).join(""));
  return 0;
}
