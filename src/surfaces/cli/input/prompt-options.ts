import { text as readAll } from "node:stream/consumers";
import type { GivenPrompt } from "../../../app/prepare/read-prompt.ts";
import { RalphError } from "../../../core/ralph-error.ts";
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

/** The same for a command that cannot do without. */
export async function requiredPrompt(options: Options): Promise<GivenPrompt> {
  const given = await promptOptions(options);
  if (given === null) throw new RalphError("usage", "A prompt is missing.", example);
  return given;
}

const example = 'Give exactly one: ralph run -p "Make the tests pass", or ralph run -f prompt.md.';
