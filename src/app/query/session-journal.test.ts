import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginSession, cancelSession } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { openFileSessions } from "../../shell/sessions/file-session-store.ts";
import { createMemoryStore } from "../../shell/stores/memory/memory-store.ts";
import { importSessions } from "../cleanup/import-sessions.ts";
import { checkSession, readSessionLog } from "./session-journal.ts";

let folder = "";
let journal = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-session-journal-"));
  journal = join(folder, "sessions", "claude-s1", "journal.ndjson");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A loop in a session of a host. */
function begin(): { session: SessionRecord; end: () => void } {
  const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", prompt: "Fix it" };
  const given = { ...loop, sessionId: "s1", startedAt: "2026-11-15T12:00:00.000Z" };
  const start = { directory: "/p", host: "claude", continuationDelay: 0, criterionCount: 0, at: 1 };
  const store = openFileSessions({
    folder: join(folder, "sessions"),
    host: "claude",
    oldFiles: [],
    defaults: start,
    onFault: ({ error }) => expect(error).toBe(""),
  });
  const change = beginSession(given, start);
  store.change("s1", () => change);
  const end = (): void => void store.change("s1", (record) => (record === null ? null : cancelSession(record, now)));
  return { session: change.record, end };
}

const now = { at: 2, upMs: 0 };

function problemOf(session: SessionRecord): string {
  const check = checkSession(folder, session);
  return check.isIntact ? "" : check.problem;
}

describe("the journal of a living session run", () => {
  it("is intact when its lines lead to the stored state", () => {
    const { session } = begin();
    expect(checkSession(folder, session)).toEqual({ isIntact: true, entries: 3 });
  });

  it("is broken at the line that was changed, or that does not belong to it", () => {
    const { session } = begin();
    const text = readFileSync(journal, "utf8");
    writeFileSync(journal, text.replace('"type":"run-started"', '"type":"run-Started"'));
    expect(problemOf(session)).toMatch(/^Line 2 .*does not fold/);
    writeFileSync(journal, text);
    appendFileSync(journal, '{"seq":4}\n');
    expect(problemOf(session)).toMatch(/^Line 4 .*does not fold/);
  });

  it("is read on from any entry, also after its run ended and after it was imported", async () => {
    const store = createMemoryStore();
    const machine = { store, folder };
    const { session, end } = begin();
    const first = await readSessionLog(machine, session, 0);
    expect([first.entries.map(({ seq }) => seq), first.isOver]).toEqual([[1, 2, 3], false]);
    expect((await readSessionLog(machine, session, 3)).entries).toEqual([]);
    end();
    const ended = await readSessionLog(machine, session, 3);
    expect([ended.entries.length > 0, ended.isOver, ended.problem]).toEqual([true, true, null]);
    expect(await importSessions(machine)).toEqual([]);
    const imported = await readSessionLog(machine, session, 3);
    expect(imported.isOver).toBe(true);
    expect(imported.entries.map(({ seq, kind }) => [seq, kind])).toEqual(
      ended.entries.map(({ seq, kind }) => [seq, kind]),
    );
  });
});
