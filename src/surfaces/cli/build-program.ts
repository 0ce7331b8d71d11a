import { Command, CommanderError } from "commander";
import { cleanMessage } from "../../core/text/clean-text.ts";
import { commandTree, loadOverview } from "./tree/command-tree.ts";
import type { CommandSpec, OptionSpec } from "./input/command-spec.ts";
import { projectDirOption } from "./input/read-input.ts";

const description = "Runs a coding agent again and again until the work is verifiably done.";

/** The command line, made from the command tree. The returned function resolves with the exit code. */
export function buildProgram(version: string): (argv: string[]) => Promise<number> {
  return async (argv) => {
    let exitCode = 0;
    const program = new Command("ralph").description(description).exitOverride();
    program.version(version, "-v, --version", "print the version");
    program.showSuggestionAfterError(true).showHelpAfterError("(`ralph --help` lists the commands)");
    program.configureHelp({ showGlobalOptions: true });
    program.configureOutput({ outputError: (text, write) => write(`${cleanMessage(text.trimEnd())}\n`) });
    for (const spec of neededCommands(argv))
      addCommand(program, { spec, rest: argv.slice(1), done: (code) => (exitCode = code) });
    program.addHelpText("after", '\nExample:\n  ralph run "Make the tests pass"\n');
    try {
      if (argv.length === 0) return await overview();
      await program.parseAsync(argv, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return error.exitCode === 0 ? 0 : 2;
    }
    return exitCode;
  };
}

/** `ralph` alone shows where things stand and what to type (S1-01). */
async function overview(): Promise<number> {
  const { default: show } = await loadOverview();
  return show();
}

/** Builds only the named command: building all others takes as long as running one. */
function neededCommands(argv: readonly string[]): readonly CommandSpec[] {
  const named = commandTree.filter(({ name }) => name === argv[0]);
  return named.length > 0 ? named : commandTree;
}

type Adding = { spec: CommandSpec; rest: string[]; done: (exitCode: number) => void };

/** `rest` is the command line after the command's name, for commands that parse it themselves. */
function addCommand(parent: Command, { spec, rest, done }: Adding): void {
  const command = parent.command(`${spec.name} ${spec.parameters}`.trim()).description(spec.sentence);
  for (const option of spec.options) addOption(command, option);
  if (spec.isPassThrough === true) command.allowUnknownOption(true).helpOption(false);
  command.addHelpText(
    "after",
    `\nExample${spec.examples.length > 1 ? "s" : ""}:\n${spec.examples.map((each) => `  ${each}\n`).join("")}`,
  );
  if (spec.commands !== undefined) {
    for (const inner of spec.commands) addCommand(command, { spec: inner, rest: rest.slice(1), done });
    return;
  }
  command.action(async () => {
    const options: Record<string, unknown> = withoutAliases(command.opts(), spec.options);
    if (spec.changes !== undefined && spec.changes !== "run") await refuseOwn(spec.changes, options);
    const { default: run } = await spec.load();
    done(await run({ arguments: spec.isPassThrough === true ? rest : command.args, options }));
  });
}

/** Loaded only by commands that change something. */
async function refuseOwn(changes: "project" | "plugins" | "keys", options: Record<string, unknown>): Promise<void> {
  const { refuseFromOwnRun } = await import("../../app/requests/refuse-from-own-run.ts");
  return refuseFromOwnRun(changes === "project" ? { project: projectDirOption(options) } : changes);
}

function addOption(command: Command, option: OptionSpec): void {
  if (option.isRepeatable !== true) return void command.option(option.flags, sentenceOf(option));
  // A greedy list option would take the arguments that follow it.
  command.option(option.flags, sentenceOf(option), (value, former: string[] | undefined) => [...(former ?? []), value]);
}

function sentenceOf({ sentence, aliasOf }: OptionSpec): string {
  return aliasOf === undefined
    ? sentence
    : `the same as --${aliasOf.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Replaces an alias with its option; the option itself wins when both are given. */
function withoutAliases(options: Record<string, unknown>, specs: readonly OptionSpec[]): Record<string, unknown> {
  const named = { ...options };
  for (const { flags, aliasOf } of specs) {
    if (aliasOf === undefined) continue;
    const key = (/--([\w-]+)/.exec(flags)?.[1] ?? "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    named[aliasOf] ??= named[key];
    delete named[key];
  }
  return named;
}
