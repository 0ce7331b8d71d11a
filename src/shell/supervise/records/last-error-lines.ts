import { type CapturedOutput, captureOutput } from "../../lib/captured-output.ts";
import type { Disk } from "../../ports.ts";
import type { RunFolder } from "./task-folder.ts";

/** Lines of standard error that a message about an ended run carries. */
const errorLinesMax = 50;
/** Fifty lines of ordinary length. */
const errorCharsMax = 16_000;

/** Keeps what `lastLinesOf` needs of standard error. */
export function captureErrors(): CapturedOutput {
  return captureOutput(errorCharsMax, "tail");
}

/** The last lines of what was captured. */
export function lastLinesOf(errors: CapturedOutput): string {
  return errors.text().split("\n").slice(-errorLinesMax).join("\n");
}

/** The last lines of standard error that a run's folder has; empty where there are none. */
export async function lastErrorLines({ stderrFile }: RunFolder, disk: Disk): Promise<string> {
  const errors = captureErrors();
  for await (const chunk of disk.readLog(stderrFile)) errors.add(chunk);
  return lastLinesOf(errors);
}
