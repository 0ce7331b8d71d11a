import { hasChecks, noCheckWarning } from "../../core/contract/contract-lines.ts";
import { unsealedNote } from "../../core/contract/sealed.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { isContained } from "../agents/agent-process.ts";
import { contractSources } from "../gates/freeze-contract.ts";
import type { Processes, RunRecord } from "../ports.ts";

/** A sentence for people, in the journal and on the console. */
export type OpeningNote = { level: "info" | "warning"; text: string };

/** What a person should know before the first turn. */
export function openingNotes({ state, frozen, parentId }: RunRecord): OpeningNote[] {
  if (!hasChecks(state.policy.gates)) return [{ level: "warning", text: noCheckWarning(state.policy.gates) }];
  // A work run says it once for all of its roles.
  const unsealed = parentId === null ? unsealedNote(contractSources(frozen)) : null;
  const isCompared = frozen.untrackedAtStart !== undefined || parentId !== null;
  return [
    ...(unsealed === null ? [] : [{ level: "warning" as const, text: unsealed }]),
    ...(isCompared ? [] : [{ level: "info" as const, text: outsideGitNote }]),
  ];
}

const outsideGitNote = "Outside git: what is delivered is not compared with what was checked.";

/** Why processes that turns of this run leave may outlive them, as a clause; null: the kernel ends them, or there are none. */
export async function uncontainedReason(
  { whyUncontained }: Pick<Processes, "whyUncontained">,
  { settings, supervised }: Pick<FrozenRun, "settings" | "supervised">,
): Promise<string | null> {
  if (whyUncontained === undefined) return null;
  if (supervised !== undefined) return "registered children of a supervised task outlive its turns";
  return isContained(settings) ? whyUncontained() : "agent.namespace is false";
}

/** What people hear of it at the start and in `ralph show`. Nothing where the kernel ends what turns leave. */
export async function containmentNotes(
  processes: Pick<Processes, "whyUncontained">,
  frozen: Pick<FrozenRun, "settings" | "supervised">,
): Promise<OpeningNote[]> {
  const reason = await uncontainedReason(processes, frozen);
  return reason === null ? [] : [{ level: "info", text: `Turns have no PID namespace: ${reason}. ${sweepSentence}` }];
}

const sweepSentence =
  "What a turn leaves is found by parent, session and turn marker; a process that sheds all three outlives it.";
