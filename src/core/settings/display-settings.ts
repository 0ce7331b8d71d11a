import * as z from "./rule.ts";

/** A limit of the view; zero shows nothing. */
const shownCount = z.int().min(0);

/** How a run shows itself. */
export const display = z
  .strictObject({
    useEmoji: z
      .boolean()
      .nullable()
      .default(null)
      .describe(
        "Emoji in front of lines, or text marks such as [OK] and [ERR]; null: emoji where the locale is UTF-8.",
      ),
    useColor: z
      .boolean()
      .nullable()
      .default(null)
      .describe("Colours; null: on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise."),
    showTimestamp: z.boolean().default(false).describe("Begin each line with the time, as [HH:MM:SS]."),
    maxOutputLines: shownCount.default(5).describe("Lines shown of a tool's output."),
    maxOutputChars: shownCount.default(500).describe("Characters shown of a tool's output."),
    showReasoning: z.boolean().default(false).describe("Show the agent's reasoning, where its stream tells it."),
  })
  .prefault({})
  .describe("How a run shows itself on the console.");
