import { fieldsOf, textIn } from "./opencode-client.ts";

/** Which sessions are a sub-agent's, and which of those are at work. */
export type SessionTree = {
  /** Learns from an event of the host. */
  hear(event: { type: string; properties?: unknown }): void;
  isChild(sessionId: string): boolean;
  /** The session a person talks to: itself, or the one above all its sub-agents. */
  rootOf(sessionId: string): string;
  /** Whether a sub-agent of this session still works; its end will wake the session. */
  hasBusyChild(sessionId: string): boolean;
};

/** Begins with no session known: the host tells of each when it is made. */
export function createSessionTree(): SessionTree {
  const parents = new Map<string, string>();
  const busy = new Set<string>();
  const rootOf = (sessionId: string): string => {
    let root = sessionId;
    for (let level = 0; level < levelsMax; level += 1) root = parents.get(root) ?? root;
    return root;
  };
  return {
    hear({ type, properties }) {
      const { info, sessionID, status } = fieldsOf(properties);
      const { id, parentID } = fieldsOf(info);
      const sessionId = textIn(sessionID) ?? textIn(id);
      if (sessionId === null) return;
      // A message has a parent too: the one it answers.
      const parent = type.startsWith("session.") ? textIn(parentID) : null;
      if (parent !== null && parent !== sessionId) remember(parents, sessionId, parent);
      if (type === "session.status" && parents.has(sessionId) && fieldsOf(status)["type"] !== "idle")
        busy.add(sessionId);
      if (endings.has(type) || fieldsOf(status)["type"] === "idle") busy.delete(sessionId);
      if (type === "session.deleted") parents.delete(sessionId);
    },
    isChild: (sessionId) => parents.has(sessionId),
    rootOf,
    hasBusyChild: (sessionId) => [...busy].some((child) => rootOf(child) === sessionId),
  };
}

const endings: ReadonlySet<string> = new Set(["session.idle", "session.error", "session.deleted"]);

/** Sub-agents of sub-agents; the host forbids even the second level. */
const levelsMax = 8;

/** A long life has many sub-agents; the oldest of so many is long gone. */
const childrenMax = 10_000;

function remember(parents: Map<string, string>, child: string, parent: string): void {
  parents.set(child, parent);
  const [oldest] = parents.keys();
  if (parents.size > childrenMax && oldest !== undefined) parents.delete(oldest);
}
