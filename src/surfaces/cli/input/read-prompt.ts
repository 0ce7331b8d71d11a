import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { RalphError } from "../../../core/ralph-error.ts";
import type { PromptSource } from "../../../core/settings/frozen-run.ts";
import type { Disk } from "../../../shell/ports.ts";

/** The source of the prompt; `-` is standard input. Refuses an empty one. */
export async function readPrompt(
  disk: Pick<Disk, "readText">,
  projectDir: string,
  given: { text: string } | { path: string },
): Promise<PromptSource> {
  const source = await promptSource(projectDir, given);
  const text = source.kind === "text" ? source.text : await readPromptFile(disk, source.path);
  if (text.trim() !== "") return source;
  throw new RalphError("prompt", "The prompt is empty.", "Say what the agent should do.");
}

async function promptSource(projectDir: string, given: { text: string } | { path: string }): Promise<PromptSource> {
  if ("text" in given) return { kind: "text", text: given.text };
  if (given.path !== "-") return { kind: "file", path: resolve(projectDir, given.path) };
  return { kind: "text", text: (await readAll(process.stdin)).replace(/[\r\n]+$/, "") };
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
