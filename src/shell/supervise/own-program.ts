import { dirname, join } from "node:path";
import type { Disk } from "../ports.ts";
import { streamPath } from "../stores/stream-path.ts";

/**
 * A folder with a `ralph` that starts this very program, for the search path of an agent: it may be installed under
 * another name or not at all. Lies with the run's streams and is removed with them.
 */
export async function makeOwnProgram(
  disk: Disk,
  run: { folder: string; id: string },
  selfArgv: readonly string[],
): Promise<string> {
  const path = join(dirname(streamPath(run.folder, run.id, 0)), "bin", "ralph");
  const words = selfArgv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  await disk.writeAtomic(path, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, 0o755);
  return dirname(path);
}
