import { deriveList, type Planning } from "../../../app/prd/derive-list.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { showStories } from "./show-stories.ts";

const interruptedCode = 130;

/** Mode 2: the PRD is finished, and the stories are derived from it; only a valid list is written (S4-86). */
export async function derivePlan(planning: Planning, how: { isForced: boolean; isJson: boolean }): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const onAsk = (): void => void process.stderr.write("Deriving the stories …\n");
  const file = await deriveList(planning, { isForced: how.isForced, signal: stop.signal, onAsk });
  if (file === null) {
    process.stderr.write("Interrupted; nothing was written.\n");
    return interruptedCode;
  }
  if (!how.isJson) return showStories(file, `${planning.place.folder.name}/tasks.json written.`);
  process.stdout.write(jsonLine(file.raw));
  return 0;
}
