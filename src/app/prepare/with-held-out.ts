import type { HeldOutCheck } from "../../core/contract/held-out-check.ts";
import { unsealedReason } from "../../core/contract/sealed.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { contractSources } from "../../shell/gates/freeze-contract.ts";
import { loadHeldOut } from "./load-held-out.ts";
import type { Program } from "./load-run-settings.ts";

/** Which held-out checks: those of a file, or with null those of the project, and of these the ones that the run is about. */
export type HeldOutWish = { file: string | null; isAsked?: (check: HeldOutCheck) => boolean };

/**
 * A run with the held-out checks of its project, or of the file that was given. Rejects with a `RalphError` where they could not run: a
 * run must not complete past a check that a person holds out.
 */
export async function withHeldOut<Frozen extends FrozenRun>(
  { env }: Pick<Program, "env">,
  frozen: Frozen,
  { file, isAsked = () => true }: HeldOutWish,
): Promise<Frozen> {
  const heldOut = (await loadHeldOut(env, { projectDir: frozen.projectDir, file })).filter(isAsked);
  if (heldOut.length === 0) return frozen;
  const held = { ...frozen, heldOut };
  const reason = unsealedReason(contractSources(held));
  if (reason === null) return held;
  throw new RalphError(
    "contract",
    `This project has held-out checks, and its checks do not run sealed: ${reason}.`,
    'They are asked in a git repository with "seal": { "checks": "claims" }; or remove them: ralph seal held-out remove NAME',
  );
}
