import { resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { PromptSource } from "../../core/settings/run/frozen-run.ts";
import type { Disk } from "../../shell/ports.ts";

/** A prompt as people give it: its words, or the file that holds them. */
export type GivenPrompt = { text: string } | { path: string };

/** The source of the prompt. Refuses an empty one. */
export async function readPrompt(
  disk: Pick<Disk, "readText">,
  projectDir: string,
  given: GivenPrompt,
): Promise<PromptSource> {
  const source: PromptSource =
    "text" in given ? { kind: "text", text: given.text } : { kind: "file", path: resolve(projectDir, given.path) };
  const text = source.kind === "text" ? source.text : await readPromptFile(disk, source.path);
  if (text.trim() !== "") return source;
  throw new RalphError("prompt", "The prompt is empty.", "Say what the agent should do.");
}

async function readPromptFile(disk: Pick<Disk, "readText">, path: string): Promise<string> {
  const text = await disk.readText(path).catch((cause: unknown) => {
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("prompt", `The prompt file ${path} cannot be read: ${String(cause)}.`, null, cause);
  });
  if (text === null)
    throw new RalphError("prompt", `The prompt file ${path} does not exist.`, "Check the path given with -f.");
  return text;
}
