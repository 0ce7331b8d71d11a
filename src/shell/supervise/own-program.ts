import { join } from "node:path";
import type { Disk } from "../ports.ts";
import { runFolders } from "../stores/artefact-path.ts";

/**
 * A folder with a `ralph` that starts this very program, for the search path of an agent: it may be installed under
 * another name or not at all. Lies with the run's streams and is removed with them.
 */
export async function makeOwnProgram(
  disk: Disk,
  run: { folder: string; id: string },
  selfArgv: readonly string[],
): Promise<string> {
  const bin = join(run.folder, runFolders(run.id).streams, "bin");
  const words = selfArgv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  await disk.writeAtomic(join(bin, "ralph"), `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, 0o755);
  return bin;
}
