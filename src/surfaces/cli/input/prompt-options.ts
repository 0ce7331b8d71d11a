import { statSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import type { GivenPrompt } from "../../../app/prepare/read-prompt.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { Input } from "./command-spec.ts";
import { type Options, textOption } from "./read-input.ts";

/** The prompt of `-p` or `-f`, never both (S1-04); `-f -` is standard input. Null: none is given. */
export async function promptOptions(options: Options): Promise<GivenPrompt | null> {
  const text = textOption(options, "prompt");
  const path = textOption(options, "promptFile");
  if (text !== null && path !== null)
    throw new RalphError("usage", "Both --prompt and --prompt-file are given.", example);
  if (text !== null) return { text };
  if (path !== "-") return path === null ? null : { path };
  return { text: (await readAll(process.stdin)).replace(/[\r\n]+$/, "") };
}

/** The same for a command that cannot do without, and takes the prompt as its argument, too. */
export async function requiredPrompt({ arguments: [text], options }: Input): Promise<GivenPrompt> {
  const given = await promptOptions(options);
  if (given === null && text === undefined) throw new RalphError("usage", "A prompt is missing.", example);
  if (given !== null && text !== undefined)
    throw new RalphError(
      "usage",
      `A prompt is given twice: the argument "${text}", and --prompt or --prompt-file.`,
      example,
    );
  return given ?? { text: notAFile(text ?? "") };
}

/** An argument that names a file was meant as that file: its name alone is nobody's prompt. */
function notAFile(text: string): string {
  if (/\s/.test(text) || statSync(text, { throwIfNoEntry: false })?.isFile() !== true) return text;
  const hint = `For its content: ralph run -f ${text}. For these words: ralph run -p ${text}.`;
  throw new RalphError("usage", `The prompt "${text}" is the name of a file.`, hint);
}

const example = 'Give exactly one: ralph run "Make the tests pass", or ralph run -f prompt.md.';
