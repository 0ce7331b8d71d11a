import { foldLine, linesOf, readLine, type SessionLine } from "../../src/core/session/session-journal.ts";
import type { SessionRecord } from "../../src/core/session/session-record.ts";
import { canonicalJson } from "../../src/core/text/canonical-json.ts";
import type { SessionStore } from "../../src/shell/sessions/session-store.ts";

/** Sessions in memory that go through JSON like files do, and outlive the hook that wrote them. */
export type MemorySessions = SessionStore & {
  /** Where a journal does not lead to the state that is stored; null: all of them do. */
  journalProblem(): string | null;
};

type Kept = { state: string; lines: string[] };

/** Begins empty. */
export function createMemorySessions(): MemorySessions {
  const files = new Map<string, Kept>();
  const last = (sessionId: string): SessionRecord | null => {
    const kept = files.get(sessionId);
    return kept === undefined ? null : (JSON.parse(kept.state) as SessionRecord);
  };
  const read = (sessionId: string): SessionRecord | null => {
    const record = last(sessionId);
    return record?.run.outcome === null ? record : null;
  };
  return {
    read,
    change: (sessionId, step) => {
      const change = step(read(sessionId));
      if (change === null) return true;
      const lines = files.get(sessionId)?.lines ?? [];
      const added = linesOf(change, lines.length, 0).map((line) => JSON.stringify(line));
      files.set(sessionId, { state: JSON.stringify(change.record), lines: [...lines, ...added] });
      return true;
    },
    // Nobody judges stops without a loop here.
    list: () => [...files.keys()].flatMap((sessionId) => read(sessionId) ?? []),
    journalProblem: () => [...files.values()].map(problemOf).find((problem) => problem !== null) ?? null,
  };
}

/** Folds the journal from its first line; what was seen of the host may be newer than the last line. */
function problemOf({ state, lines }: Kept): string | null {
  const folded = lines.reduce<SessionRecord | string | null>((record, text, index) => {
    if (typeof record === "string") return record;
    const line: SessionLine | string = readLine(text, index + 1);
    const next = typeof line === "string" ? line : foldLine(record, line);
    return typeof next === "string" ? `line ${index + 1}: ${next}` : next;
  }, null);
  if (folded === null || typeof folded === "string") return folded ?? "there is no line";
  const { run, loop } = JSON.parse(state) as SessionRecord;
  return canonicalJson({ run, loop }) === canonicalJson({ run: folded.run, loop: folded.loop })
    ? null
    : "the journal leads to another state";
}
