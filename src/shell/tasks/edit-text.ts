import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Processes, TerminalProgram } from "../ports.ts";
import { readTextFile, textBytesMax } from "../lib/read-text-file.ts";

/** A text as a person left it; it stays in `path` until it is discarded, so that no work is lost. */
export type EditedText = { text: string; path: string; discard(): Promise<void> };

/** What an editor is opened with. */
export type EditorContext = {
  fileName: string;
  env: Readonly<Record<string, string>>;
  processes: Pick<Processes, "runOnTerminal">;
};

/**
 * Opens a text in the person's editor, in this terminal and in this process group: an editor needs both. Rejects with
 * code `task` when the editor cannot be started or fails.
 */
export async function editText(text: string, { fileName, env, processes }: EditorContext): Promise<EditedText> {
  const folder = await mkdtemp(join(tmpdir(), "ralph-edit-"));
  const path = join(folder, fileName);
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await writeFile(path, text, { mode: 0o600 });
  const editor = [env["VISUAL"], env["EDITOR"], "vi"].find((each) => each !== undefined && each.trim() !== "") ?? "vi";
  const [program = editor, ...flags] = editor.trim().split(/\s+/);
  const problem = await runEditor({ argv: [program, ...flags, path], env }, processes);
  if (problem === null) {
    // An editor that removed the file left nothing in it.
    const edited = readTextFile(path, { bytesMax: textBytesMax, links: "follow" }) ?? "";
    return { text: edited, path, discard };
  }
  await discard();
  const hint = "Set EDITOR to a program that edits a file and ends, or change the task by flags.";
  throw new RalphError("task", `The editor ${editor} ${problem}; nothing was changed.`, hint);
}

/** What went wrong, in words that follow the editor's name; null: nothing. */
async function runEditor(order: Pick<TerminalProgram, "argv" | "env">, processes: EditorContext["processes"]) {
  const end = await processes.runOnTerminal({ ...order, purpose: "tool", cwd: process.cwd() });
  if (!end.isStarted) return `cannot be started (${end.message})`;
  return end.exitCode === 0 ? null : `ended with ${end.signal ?? `exit code ${end.exitCode}`}`;
}
