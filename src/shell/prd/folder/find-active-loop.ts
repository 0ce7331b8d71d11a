import { join } from "node:path";
import { isPidLiving } from "../../lib/is-pid-living.ts";
import type { Disk } from "../../ports.ts";

/** Whether `.ralph-active` names a living process. The file is not trusted: it can only make us more careful. */
export async function findActiveLoop(disk: Pick<Disk, "readText">, projectDir: string): Promise<string | null> {
  const text = await disk.readText(join(projectDir, ".ralph-active"));
  const pid = text === null ? null : pidIn(text);
  return pid !== null && isPidLiving(pid) ? `process ${pid}, named in .ralph-active` : null;
}

function pidIn(text: string): number | null {
  const pid = Number(/"pid"\s*:\s*(\d{1,10})\b/.exec(text)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
