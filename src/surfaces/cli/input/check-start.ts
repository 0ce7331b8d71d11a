import { RalphError } from "../../../core/ralph-error.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { type LookMachine, trackedChanges } from "../../../shell/git/tree-fingerprint.ts";
import { isConfirmed } from "./confirm.ts";

/**
 * With delivery, changes that are already there would be committed as the agent's: a person at a terminal is asked,
 * elsewhere only `--allow-dirty` starts the run.
 */
export async function checkStart(
  machine: LookMachine,
  settings: Settings,
  { projectDir, isDirtyAllowed }: { projectDir: string; isDirtyAllowed: boolean },
): Promise<void> {
  if (settings.scm === null || isDirtyAllowed) return;
  const changes = (await trackedChanges(machine, projectDir)) ?? [];
  if (changes.length === 0) return;
  const count = changes.length === 1 ? "1 tracked file has" : `${changes.length} tracked files have`;
  const sentence = `${count} changes that are not committed (${changes[0]?.slice(3) ?? ""}).`;
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (isTerminal && (await isConfirmed(`${sentence} Deliver them with the agent's work? (y/N): `))) return;
  throw new RalphError("scm", sentence, "Commit or stash them, or start with --allow-dirty.");
}
