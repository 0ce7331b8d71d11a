/** The gate that asks for results of commands, and in which iteration. */
export type Asking = { iteration: number; gateId: string };

/** Which gates have asked so far; null: none. */
export type Asked = { iteration: number; gateIds: readonly string[] } | null;

/**
 * Who may share results after this question. `isFresh`: nothing of before may be shared. Another iteration shares nothing: a
 * command may look at a server or at files outside the tree, and no comparison of trees shows that those changed. Neither does
 * a gate that is asked a second time, because that is a new look at the same iteration (S2-59).
 */
export function shareResults(before: Asked, { iteration, gateId }: Asking): { asked: Asked; isFresh: boolean } {
  const isFresh = before === null || before.iteration !== iteration || before.gateIds.includes(gateId);
  const gateIds = isFresh ? [gateId] : [...before.gateIds, gateId];
  return { asked: { iteration, gateIds }, isFresh };
}

/** Whether the result of a command may be shared: it ended by itself, and left the tree as it found it (S2-59). */
export function isShareable({ isTimedOut, isTreeChanged }: { isTimedOut: boolean; isTreeChanged: boolean }): boolean {
  return !isTimedOut && !isTreeChanged;
}
