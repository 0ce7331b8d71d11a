import type { JournalCheck, RunCheck } from "../../../app/query/check-journal.ts";
import type { SessionCheck } from "../../../app/query/session-journal.ts";

/** What `ralph show --check` says about the journal of a run, and about those of its role runs. */
export function renderCheck(runId: string, check: RunCheck): string {
  const { roles = [] } = check;
  const own = checkLine(`run ${runId}`, check);
  const broken = roles.flatMap(({ id, ...role }) => (role.isIntact ? [] : [checkLine(`role run ${id}`, role)]));
  const isWhole = roles.length > 0 && broken.length === 0;
  const whole =
    roles.length === 1
      ? "So is the journal of its role run.\n"
      : `So are the journals of its ${roles.length} role runs.\n`;
  return [own, ...broken, ...(isWhole && check.isIntact ? [whole] : [])].join("");
}

function checkLine(name: string, check: JournalCheck): string {
  if (!check.isIntact) {
    const place = check.seq === null ? "" : ` at entry ${check.seq}`;
    const fields = check.fields.length === 0 ? "" : ` (${check.fields.join(", ")})`;
    return `The journal of ${name} is broken${place}: ${check.problem}${fields}.\n`;
  }
  const { unhashed } = check;
  const old = unhashed === 0 ? "" : `; the first ${unhashed} were written by a version without hashes`;
  return `The journal of ${name} is intact: ${leadText(check)}${old}.\n`;
}

/** How far the entries were replayed. */
function leadText({ entries, isReplayed, unreplayed }: Extract<JournalCheck, { isIntact: true }>): string {
  const counted = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  if (!isReplayed) return `${counted}, which this version cannot replay`;
  if (unreplayed === 0) return `${counted} ${entries === 1 ? "leads" : "lead"} to its state`;
  const before = unreplayed === 1 ? "the step before it is" : `the ${unreplayed} steps before it are`;
  return `${counted}; those since its upgrade lead to its state, ${before} not replayed`;
}

/** The same about the journal of a living session, whose lines have no hashes yet: the engine must lead to its state. */
export function renderSessionCheck(sessionId: string, check: SessionCheck): string {
  if (!check.isIntact) return `The journal of session ${sessionId} is broken: ${check.problem}\n`;
  const leads = check.entries === 1 ? "entry leads" : "entries lead";
  return `The journal of session ${sessionId} is intact: ${check.entries} ${leads} to its state.\n`;
}
