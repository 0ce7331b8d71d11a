import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { readTextFile, textBytesMax } from "../lib/read-text-file.ts";

/** A text as a person left it; it stays in `path` until it is discarded, so that no work is lost. */
export type EditedText = { text: string; path: string; discard(): Promise<void> };

/**
 * Opens a text in the person's editor, in this terminal and in this process group: an editor needs both. Rejects with
 * code `task` when the editor cannot be started or fails.
 */
export async function editText(
  text: string,
  { fileName, env }: { fileName: string; env: Readonly<Record<string, string>> },
): Promise<EditedText> {
  const folder = await mkdtemp(join(tmpdir(), "ralph-edit-"));
  const path = join(folder, fileName);
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await writeFile(path, text, { mode: 0o600 });
  const editor = [env["VISUAL"], env["EDITOR"], "vi"].find((each) => each !== undefined && each.trim() !== "") ?? "vi";
  const [program = editor, ...flags] = editor.trim().split(/\s+/);
  const problem = await runEditor([program, ...flags, path], env);
  if (problem === null) {
    // An editor that removed the file left nothing in it.
    const edited = readTextFile(path, { bytesMax: textBytesMax, links: "follow" }) ?? "";
    return { text: edited, path, discard };
  }
  await discard();
  const hint = "Set EDITOR to a program that edits a file and ends, or change the task by flags.";
  throw new RalphError("task", `The editor ${editor} ${problem}; nothing was changed.`, hint);
}

function runEditor([program, ...words]: [string, ...string[]], env: Readonly<Record<string, string>>) {
  return new Promise<string | null>((resolve) => {
    // Ctrl-C belongs to the editor while it is open.
    const ignore = (): void => {};
    process.on("SIGINT", ignore);
    const settle = (problem: string | null): void => {
      process.off("SIGINT", ignore);
      resolve(problem);
    };
    spawn(program, words, { stdio: "inherit", env })
      .once("error", (error) => settle(`cannot be started (${error.message})`))
      .once("exit", (code, signal) => settle(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
  });
}
