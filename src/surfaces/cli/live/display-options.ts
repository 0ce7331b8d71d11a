import { RalphError } from "../../../core/ralph-error.ts";
import { isOn, type Options, textOption } from "../input/read-input.ts";

/** How a run shows itself. */
export type Display = {
  isJson: boolean;
  isQuiet: boolean;
  isVerbose: boolean;
  hasTimestamps: boolean;
  marks: "emoji" | "text" | "auto";
  outputLinesMax: number;
  outputCharsMax: number;
};

/** Enough of a tool's output to recognise it; `ralph logs` has more. */
const outputLinesDefault = 5;
const outputCharsDefault = 500;

/** Reads the options that `run` and `resume` share. */
export function displayOptions(options: Options): Display {
  return {
    isJson: isOn(options, "json"),
    isQuiet: isOn(options, "quiet"),
    isVerbose: isOn(options, "verbose"),
    hasTimestamps: isOn(options, "timestamps"),
    marks: marksOption(options),
    outputLinesMax: limitOption(options, "maxOutputLines", "--max-output-lines") ?? outputLinesDefault,
    outputCharsMax: limitOption(options, "maxOutputChars", "--max-output-chars") ?? outputCharsDefault,
  };
}

function marksOption(options: Options): Display["marks"] {
  const text = textOption(options, "marks") ?? "auto";
  if (text === "emoji" || text === "text" || text === "auto") return text;
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
