import { RalphError } from "../../core/ralph-error.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { type LookMachine, trackedChanges } from "../../shell/git/trees/tree-fingerprint.ts";
import type { StartTalk } from "./start-talk.ts";

/** With delivery, changes that are already there would be committed as the agent's: only with consent. */
export async function requireCleanTree(
  machine: LookMachine,
  { scm }: Pick<Settings, "scm">,
  { projectDir, talk }: { projectDir: string; talk: Pick<StartTalk, "areChangesAccepted"> },
): Promise<void> {
  if (scm === null) return;
  const changes = (await trackedChanges(machine, projectDir)) ?? [];
  if (changes.length === 0) return;
  const count = changes.length === 1 ? "1 tracked file has" : `${changes.length} tracked files have`;
  const sentence = `${count} changes that are not committed (${changes[0]?.slice(3) ?? ""}).`;
  if (await talk.areChangesAccepted(sentence)) return;
  throw new RalphError("scm", sentence, "Commit or stash them, or start with --allow-dirty.");
}
