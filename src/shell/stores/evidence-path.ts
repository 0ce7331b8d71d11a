import { join } from "node:path";
import { assert } from "../../core/assert.ts";
import { checkSlug } from "../../core/text/slug.ts";

/** One check of one turn. `isTaken` says whether evidence lies at a path already. */
type EvidenceOrder = {
  runId: string;
  role: string;
  iteration: number;
  label: string;
  isTaken: (path: string) => boolean;
};

/**
 * Where the output of a check is kept, relative to the state folder. A check that runs again in the same iteration, or has
 * the same slug as another, gets a number: evidence is never overwritten, so each verdict keeps its own.
 */
export function evidencePath({ runId, role, iteration, label, isTaken }: EvidenceOrder): string {
  assert(/^[\w-]+$/.test(runId), `"${runId}" can be the name of a folder`);
  // Roles are words of ours, but they are read back from the store: none may lead out of the folder.
  const folder = join("runs", runId, "checks", role.replaceAll(/[^\w-]/g, "_").slice(0, roleCharsMax) || "run");
  const base = `${String(iteration).padStart(3, "0")}_${checkSlug(label)}`;
  let path = join(folder, `${base}.log`);
  for (let count = 1; isTaken(path) && count <= numbersMax; count += 1) path = join(folder, `${base}_${count}.log`);
  return path;
}

const roleCharsMax = 50;

/** Far above what one iteration asks; it only ends the search. */
const numbersMax = 10_000;

/** The folder with one folder per run for what is kept of it; pruned together with the run. */
export function runsFolder(stateFolder: string): string {
  return join(stateFolder, "runs");
}
