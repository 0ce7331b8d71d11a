/** One option of a command, in commander's notation. `--no-x` forms make a switch that may be absent, on or off. */
export type OptionSpec = {
  flags: string;
  sentence: string;
  aliasOf?: string;
  /** May be given several times, one value each; its value is a list. */
  isRepeatable?: boolean;
};

/** What a command gets: its arguments and options, unchecked. */
export type Input = { arguments: string[]; options: Record<string, unknown> };

/** One command, or a group of them. */
export type CommandSpec = CommandText & (Leaf | Group);

type CommandText = {
  name: string;
  /** Arguments in commander's notation, such as `[run]`. */
  parameters: string;
  sentence: string;
  options: OptionSpec[];
  examples: string[];
  /** The allowed values of the argument, if they are fixed. */
  choices?: string[];
  /** A separate program parses its options; they are passed on unread. */
  isPassThrough?: boolean;
  /**
   * What it changes that an agent must not change from inside its own run; absent: nothing. For a
   * run, `app` refuses: only there it is known which run is meant.
   */
  changes?: "run" | "project" | "plugins" | "keys";
};

/** Code that takes long to load is loaded only when it is called. */
type Leaf = { load: () => Promise<{ default: (input: Input) => Promise<number> }>; commands?: never };
/** Without a subcommand it is a usage error that lists them. */
type Group = { commands: CommandSpec[]; load?: never };
