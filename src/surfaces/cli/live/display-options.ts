import { RalphError } from "../../../core/ralph-error.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { isOn, type Options, textOption } from "../input/read-input.ts";
import { chooseMarks, type Marks } from "../terminal/marks.ts";

/** What the command line says about how a run shows itself; null: the settings decide. */
export type Display = {
  isJson: boolean;
  isQuiet: boolean;
  isVerbose: boolean;
  /** Each line begins with the time, the agent's too. */
  hasTimestamps: boolean;
  /** Ralph's own lines begin with date and time: those of a run that may take days. */
  isDated?: boolean;
  marks: "emoji" | "text" | "auto" | null;
  outputLinesMax: number | null;
  outputCharsMax: number | null;
  hasReasoning: boolean;
};

/** How a run looks: the settings and, above them, the command line. */
export type Look = {
  marks: Marks;
  /** Null: where a terminal shows them. */
  hasColours: boolean | null;
  hasTimestamps: boolean;
  isDated: boolean;
  outputLinesMax: number;
  outputCharsMax: number;
  hasReasoning: boolean;
};

/** Reads the options that `run` and `resume` share. */
export function displayOptions(options: Options): Display {
  return {
    isJson: isOn(options, "json"),
    isQuiet: isOn(options, "quiet"),
    isVerbose: isOn(options, "verbose"),
    hasTimestamps: isOn(options, "timestamps"),
    marks: marksOption(options),
    outputLinesMax: limitOption(options, "maxOutputLines", "--max-output-lines"),
    outputCharsMax: limitOption(options, "maxOutputChars", "--max-output-chars"),
    hasReasoning: isOn(options, "showReasoning"),
  };
}

/** For a run that an older version stored; the schema is not loaded for a resume. */
const displayDefaults: Settings["display"] = {
  useEmoji: null,
  useColor: null,
  showTimestamp: false,
  maxOutputLines: 5,
  maxOutputChars: 500,
  showReasoning: false,
};

/** The look of a run on this terminal. */
export function lookOf(
  settings: Partial<Pick<Settings, "display">>,
  given: Display,
  env: Readonly<Record<string, string | undefined>>,
): Look {
  const set = settings.display ?? displayDefaults;
  return {
    marks: chooseMarks(given.marks ?? marksOf(set.useEmoji), env),
    hasColours: set.useColor,
    hasTimestamps: given.hasTimestamps || set.showTimestamp,
    isDated: given.isDated ?? false,
    outputLinesMax: given.outputLinesMax ?? set.maxOutputLines,
    outputCharsMax: given.outputCharsMax ?? set.maxOutputChars,
    hasReasoning: given.hasReasoning || set.showReasoning,
  };
}

function marksOf(useEmoji: boolean | null): "emoji" | "text" | "auto" {
  if (useEmoji === null) return "auto";
  return useEmoji ? "emoji" : "text";
}

function marksOption(options: Options): Display["marks"] {
  const text = textOption(options, "marks");
  if (text === null || text === "emoji" || text === "text" || text === "auto") return text;
  throw new RalphError("usage", `--marks takes emoji, text or auto, found "${text}".`);
}

/** A whole number; zero shows nothing. */
function limitOption(options: Options, name: string, flag: string): number | null {
  const text = textOption(options, name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value)) return value;
  throw new RalphError("usage", `${flag} takes a whole number, found "${text}".`);
}
