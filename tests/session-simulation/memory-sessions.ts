import type { SessionRecord } from "../../src/core/session/session-record.ts";
import type { SessionStore } from "../../src/shell/sessions/session-store.ts";

/** Sessions in memory that go through JSON like files do, and outlive the hook that wrote them. */
export function createMemorySessions(): SessionStore {
  const files = new Map<string, string>();
  const read = (sessionId: string): SessionRecord | null => {
    const text = files.get(sessionId);
    return text === undefined ? null : (JSON.parse(text) as SessionRecord);
  };
  return {
    read,
    change: (sessionId, step) => {
      const next = step(read(sessionId));
      if (next === null) files.delete(sessionId);
      else files.set(sessionId, JSON.stringify(next));
      return true;
    },
    list: () => [...files.keys()].flatMap((sessionId) => read(sessionId) ?? []),
  };
}
