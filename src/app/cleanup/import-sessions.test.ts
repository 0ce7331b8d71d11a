import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleLoop as loop } from "../../../tests/session/sample-loop.ts";
import { checkJournal, type JournalCheck } from "../query/check-journal.ts";
import { beginSession, cancelSession } from "../../core/session/session-journal.ts";
import type { RunRecord, Store } from "../../shell/ports.ts";
import { openFileSessions } from "../../shell/sessions/file-session-store.ts";
import { createMemoryStore } from "../../shell/stores/memory/memory-store.ts";
import { importSessions } from "./import-sessions.ts";

let folder = "";
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-import-"));
  store = createMemoryStore();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A loop with one check that was cancelled in its first turn. */
function endLoop(startedAt = loop.startedAt): string {
  const sessions = openFileSessions({
    folder: join(folder, "sessions"),
    host: "some-host",
    oldFiles: [],
    defaults: { directory: "/p", continuationDelay: 0 },
    onFault: ({ error }) => expect(error).toBe(""),
  });
  const given = { directory: "/p", host: "some-host", continuationDelay: 0, criterionCount: 1, at: 7 };
  sessions.change("s1", () => beginSession({ ...loop, startedAt }, given));
  sessions.change("s1", (record) => (record === null ? null : cancelSession(record, { at: 9, upMs: 2 })));
  return join(folder, "sessions", "ended", `some-host-s1.${startedAt.replaceAll(/[^0-9]/g, "")}`);
}

const found = async (): Promise<RunRecord[]> => store.list({ directory: "/p", limit: 10 });

const replayed = { isIntact: true, isReplayed: true, unreplayed: 0 };

async function checkReplay(run: RunRecord, check: Partial<JournalCheck> = replayed): Promise<void> {
  expect(await checkJournal({ store }, run)).toMatchObject(check);
}

describe("importSessions", () => {
  it("puts an ended session run with its journal into the store, and removes its folder", async () => {
    endLoop();
    expect(await importSessions({ store, folder })).toEqual([]);
    const [run] = await found();
    expect(run).toMatchObject({
      id: "s1-20261115120000000",
      kind: "session",
      outcome: { name: "cancelled" },
      endedAt: 9,
      frozen: {
        prompt: { text: "Fix it" },
        settings: { agent: { command: "some-host" } },
        contract: { gates: [{ id: "session-checks" }] },
      },
    });
    if (run !== undefined) await checkReplay(run);
    expect((await store.readJournal("s1-20261115120000000", 0, 1))[0]).toMatchObject({
      text: "Session s1 of some-host: a loop began.",
    });
    expect(readdirSync(join(folder, "sessions", "ended"))).toEqual([]);
  });

  it("adds nothing when the same folder is imported again, as after a kill", async () => {
    const path = endLoop();
    cpSync(path, `${path}.copy`, { recursive: true });
    await importSessions({ store, folder });
    expect(await found()).toHaveLength(1);
    expect(await store.readJournal("s1-20261115120000000", 0, 100)).toHaveLength(5);
  });

  it("keeps each loop of a session apart", async () => {
    endLoop();
    endLoop("2026-11-15T13:00:00.000Z");
    await importSessions({ store, folder });
    expect((await found()).map(({ id }) => id)).toEqual(["s1-20261115130000000", "s1-20261115120000000"]);
  });

  it("keeps a session with a line that does not fold aside, names it, and imports the rest", async () => {
    const journal = join(endLoop(), "journal.ndjson");
    writeFileSync(journal, readFileSync(journal, "utf8").replace(/^(.*"turn-started".*)$/m, "odd"));
    const [problem = "", ...others] = await importSessions({ store, folder });
    expect(problem).toMatch(
      /^Line 3 of the session's journal does not fold: it is not JSON\. It is kept as .*unusable/,
    );
    expect(others).toEqual([]);
    expect(readdirSync(join(folder, "sessions", "unusable"))).toHaveLength(1);
    const [run] = await found();
    expect(run).toMatchObject({ outcome: { name: "cancelled" } });
    if (run !== undefined) await checkReplay(run, { isIntact: false, seq: 5 });
    expect(await importSessions({ store, folder })).toEqual([]);
  });

  it("does not call a journal intact whose first line is damaged: it names every line that does not fold", async () => {
    const journal = join(endLoop(), "journal.ndjson");
    writeFileSync(journal, readFileSync(journal, "utf8").replace(/^.*/, "odd"));
    const [problem = ""] = await importSessions({ store, folder });
    expect(problem).toContain("Lines 1, 2, 3, 4 and 5 of the session's journal do not fold; line 1: it is not JSON.");
    const [kept = ""] = readdirSync(join(folder, "sessions", "unusable"));
    expect(readFileSync(join(folder, "sessions", "unusable", kept, "journal.ndjson"), "utf8")).toMatch(/^odd\n\{/);
    const [run] = await found();
    if (run !== undefined) await checkReplay(run, { isIntact: false, seq: 1 });
  });

  it("imports one whose hook was killed before it could move it, and leaves living ones", async () => {
    const path = endLoop();
    const living = join(folder, "sessions", "some-host-s1");
    cpSync(path, living, { recursive: true });
    rmSync(path, { recursive: true });
    expect(await importSessions({ store, folder })).toEqual([]);
    expect(await found()).toHaveLength(1);
    expect(readdirSync(join(folder, "sessions"))).toEqual(["ended"]);
  });

  it("does nothing where there are no sessions, and names what it cannot read", async () => {
    expect(await importSessions({ store, folder })).toEqual([]);
    mkdirSync(join(folder, "sessions", "ended", "odd"), { recursive: true });
    expect(await importSessions({ store, folder })).toEqual([expect.stringContaining("there is no state") as string]);
  });
});
