import { hasChecks, noCheckWarning } from "../../core/contract/contract-lines.ts";
import { unsealedNote } from "../../core/contract/sealed.ts";
import { contractSources } from "../gates/freeze-contract.ts";
import type { RunRecord } from "../ports.ts";

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
