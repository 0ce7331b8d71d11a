/** What a gate is asked for, as far as it decides where its command runs. `mayApprove`: a task list may approve by it. */
export type SealedQuestion = { hasClaim: boolean; mayApprove: boolean; candidate: string | null };

/**
 * The tree to seal, or null: a turn without a claim, and without an approval to earn, is checked in the work tree. A candidate that
 * nobody could determine has no tree to check out; its claim is refused for that reason.
 */
export function sealedCandidate({ hasClaim, mayApprove, candidate }: SealedQuestion): string | null {
  return (hasClaim || mayApprove) && candidate !== null && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(candidate)
    ? candidate
    : null;
}

/** Guardrails of a claim that did not run in the copy: what follows them would be green for want of anything to ask. */
export function unsealedCommands(guardrails: readonly string[], ran: ReadonlySet<string>): string[] {
  return guardrails.filter((command) => !ran.has(command));
}
