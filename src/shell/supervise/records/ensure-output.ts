import type { Disk, DiskEntry } from "../../ports.ts";
import type { RunFolder } from "./task-folder.ts";

/** Standard output is copied up to this; the whole of it stays beside. */
const copyBytesMax = 16 * 1024 * 1024;

/**
 * Sees to it that a run has an `output.md`: the agent's own, else the text its stream was parsed into, else what it
 * printed. Never writes through a link.
 */
export async function ensureOutput(
  folder: RunFolder,
  parsedText: string | null,
  disk: Disk,
): Promise<"agent" | "parsed" | "stdout"> {
  const own = lookAt(folder.outputFile, disk);
  if (own?.kind === "file" && own.bytes > 0) return "agent";
  if (parsedText !== null && parsedText.trim() !== "") {
    await disk.writeAtomic(folder.outputFile, parsedText);
    return "parsed";
  }
  await disk.writeAtomic(folder.outputFile, await readStdout(folder, disk));
  return "stdout";
}

/** What cannot be looked at is not the agent's; writing then says why. */
function lookAt(path: string, disk: Disk): DiskEntry | null {
  try {
    return disk.look(path);
  } catch {
    return null;
  }
}

async function readStdout(folder: RunFolder, disk: Disk): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of disk.readLog(folder.stdoutFile)) {
    chunks.push(chunk.slice(0, copyBytesMax - bytes));
    bytes += chunk.length;
    if (bytes >= copyBytesMax) break;
  }
  return Buffer.concat(chunks);
}
