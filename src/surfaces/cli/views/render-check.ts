import type { SessionCheck } from "../../../app/query/session-journal.ts";
import type { ChainCheck } from "../../../core/journal/chain.ts";

/** What `ralph show --check` says about a journal. */
export function renderCheck(runId: string, check: ChainCheck): string {
  if (!check.isIntact) return `The journal of run ${runId} is broken at entry ${check.seq}: ${check.problem}.\n`;
  const { entries, unhashed } = check;
  const counted = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  const old = `the first ${unhashed} were written by a version without hashes`;
  return `The journal of run ${runId} is intact: ${counted}${unhashed === 0 ? "" : `; ${old}`}.\n`;
}

/** The same about the journal of a living session, whose lines have no hashes yet: the engine must lead to its state. */
export function renderSessionCheck(sessionId: string, check: SessionCheck): string {
  if (!check.isIntact) return `The journal of session ${sessionId} is broken: ${check.problem}\n`;
  const leads = check.entries === 1 ? "entry leads" : "entries lead";
  return `The journal of session ${sessionId} is intact: ${check.entries} ${leads} to its state.\n`;
}
