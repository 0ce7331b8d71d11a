import type { OptionSpec } from "./command-spec.ts";
import { streamFlags } from "./setting-flags.ts";

/** Where a command works. */
export const projectDir = { flags: "-C, --project-dir <dir>", sentence: "work in this directory" };

/** Results for programs. */
export const json = { flags: "--json", sentence: "print results as JSON" };

/** How a run looks. */
export const look: OptionSpec[] = [
  { flags: "--timestamps", sentence: "begin each line with the time" },
  { flags: "--marks <kind>", sentence: "emoji or text marks before lines; auto uses the locale" },
  { flags: "--max-output-lines <count>", sentence: "lines shown of a tool's output (5)" },
  { flags: "--max-output-chars <count>", sentence: "characters shown of a tool's output (500)" },
  { flags: "--show-reasoning", sentence: "show the agent's reasoning" },
];

/** How a run shows itself. */
export const display: OptionSpec[] = [
  json,
  ...streamFlags,
  { flags: "-V, --verbose", sentence: "print more on standard error" },
  { flags: "-q, --quiet", sentence: "print only how the run starts and ends" },
  ...look,
];

/** Checks that the agent never sees, from elsewhere. */
export const heldOut = {
  flags: "--held-out <file>",
  sentence: "held-out checks of this file instead of the project's own",
};
