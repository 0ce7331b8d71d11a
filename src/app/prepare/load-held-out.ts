import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { freezeHeldOut, type FrozenHeldOut } from "../../shell/held-out/frozen-files.ts";
import { heldOutPath, readHeldOutFile } from "../../shell/held-out/held-out-file.ts";
import type { Program } from "./load-run-settings.ts";

/** The held-out checks of a project, or of the file that was given, with the hashes of their files. */
export async function loadHeldOut(
  env: Program["env"],
  { projectDir, file }: { projectDir: string; file: string | null },
): Promise<FrozenHeldOut> {
  const path = file === null ? heldOutPath(env, projectDir) : resolve(file);
  if (file !== null && path !== null && !existsSync(path))
    throw new RalphError("usage", `--held-out: ${path} is not there.`, "Give the path of a list of held-out checks.");
  if (path === null) return [];
  return freezeHeldOut(readHeldOutFile(path, projectDir), { folder: dirname(path), projectDir });
}
