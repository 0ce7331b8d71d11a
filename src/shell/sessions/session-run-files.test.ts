import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleLoop as loop } from "../../../tests/session/sample-loop.ts";
import { unknownContract } from "../../core/contract/session-checks.ts";
import { beginStops } from "../../core/session/stops/native-stops.ts";
import { beginSession, cancelSession, foldLine, givenRecord } from "../../core/session/session-journal.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { type FileFault, openFileSessions } from "./file-session-store.ts";
import { listEnded } from "./ended-sessions.ts";
import { readJournalLines, readStoredRun } from "./session-run-files.ts";
import type { SessionStore } from "./session-store.ts";

const given = { directory: "/p", host: "some-host", continuationDelay: 0, criterionCount: 0, at: 7 };

let root = "";
let faults: FileFault[] = [];
let sessions: SessionStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-session-run-"));
  faults = [];
  sessions = open();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(host: string | null = "some-host"): SessionStore {
  const defaults = { directory: "/p", continuationDelay: 0 };
  return openFileSessions({ folder: root, host, oldFiles: [], defaults, onFault: (fault) => faults.push(fault) });
}

const file = (name: string): string => join(root, "some-host-s1", name);
const lineCount = (): number => readFileSync(file("journal.ndjson"), "utf8").split("\n").length - 1;
const begin = (): boolean => sessions.change("s1", () => beginSession(loop, given));
const cancel = (record: SessionRecord | null) => (record === null ? null : cancelSession(record, { at: 9, upMs: 0 }));

/** Whether the lines of a folder alone lead to the run that is stored there. */
function checkFold(folder: string): void {
  const folded = readJournalLines(folder).reduce<SessionRecord | string | null>(
    (record, line) => (typeof line === "string" ? line : foldLine(typeof record === "string" ? null : record, line)),
    null,
  );
  const stored = readStoredRun(folder);
  expect(typeof stored === "object" ? stored?.record.run : stored).toEqual(
    typeof folded === "object" ? folded?.run : folded,
  );
}

describe("the folder of a session", () => {
  it("holds the state, and a line for each step that leads to it", () => {
    expect(begin()).toBe(true);
    expect(readdirSync(root)).toEqual(["some-host-s1"]);
    expect(readdirSync(join(root, "some-host-s1"))).toEqual(["journal.ndjson", "state.json"]);
    expect(lineCount()).toBe(3);
    checkFold(join(root, "some-host-s1"));
  });

  it("is found by its session alone, and by no other host", () => {
    begin();
    expect(open(null).read("s1")?.loop).toEqual(loop);
    expect(open("other-host").read("s1")).toBeNull();
  });

  it("lies beside those of living loops when its loop has ended, and the session can have another one", () => {
    begin();
    expect(sessions.change("s1", cancel)).toBe(true);
    expect([sessions.read("s1"), sessions.list(), readdirSync(root)]).toEqual([null, [], ["ended"]]);
    expect(begin()).toBe(true);
    sessions.change("s1", cancel);
    expect(listEnded(root).length).toBe(2);
    listEnded(root).forEach(checkFold);
  });

  it("counts a step whose hook was killed before it stored the state", () => {
    begin();
    const before = readFileSync(file("state.json"), "utf8");
    sessions.change("s1", cancel);
    const [ended = ""] = listEnded(root);
    writeFileSync(join(ended, "state.json"), before);
    const stored = readStoredRun(ended);
    expect(stored).toMatchObject({ record: { run: { outcome: { name: "cancelled" } } }, problem: null });
    checkFold(ended);
  });

  it("is refused when an edit of its state switches the loop off, and read when its journal did", () => {
    begin();
    const state = JSON.parse(readFileSync(file("state.json"), "utf8")) as SessionRecord;
    writeFileSync(file("state.json"), JSON.stringify({ ...state, loop: { ...loop, active: false } }));
    expect(sessions.list()).toEqual([]);
    expect(faults.map(({ error }) => error)).toEqual([expect.stringContaining("loop.active does not fit its run")]);
    const off = { ...state, loop: { ...loop, sessionId: "s2", active: false } };
    sessions.change("s2", () => givenRecord(off, "a program wrote this loop"));
    expect(sessions.read("s2")?.loop).toEqual(off.loop);
  });

  it("counts a loop whose hook was killed before it stored any state", () => {
    begin();
    rmSync(file("state.json"));
    expect(sessions.read("s1")?.run.turnProcess).toEqual({ pid: 0, startTime: "" });
  });

  it("drops a line that was not written whole, and the next one takes its place", () => {
    begin();
    appendFileSync(file("journal.ndjson"), '{"format":1,"version":3,"seq":4,"at":9,"kind":"st');
    expect(sessions.read("s1")?.loop).toEqual(loop);
    sessions.change("s1", (record) => (record === null ? null : { begin: null, steps: [], record }));
    expect(sessions.change("s1", cancel)).toBe(true);
    const [ended = ""] = listEnded(root);
    expect(readJournalLines(ended).every((line) => typeof line !== "string")).toBe(true);
    checkFold(ended);
    expect(faults).toEqual([]);
  });

  it("keeps a line aside that does not follow from the state, and names it", () => {
    begin();
    appendFileSync(file("journal.ndjson"), "odd\n");
    expect(sessions.change("s1", cancel)).toBe(true);
    expect(faults).toEqual([{ doing: "read", error: expect.stringContaining("line 4 of") as string }]);
    const [ended = ""] = listEnded(root);
    const aside = readdirSync(ended).find((name) => name.includes(".unusable-")) ?? "";
    expect(readFileSync(join(ended, aside), "utf8")).toBe("odd\n");
    checkFold(ended);
  });

  it("goes on from its state when lines of the journal are lost", () => {
    begin();
    truncateSync(file("journal.ndjson"), 0);
    expect(sessions.change("s1", cancel)).toBe(true);
    const [ended = ""] = listEnded(root);
    const [first] = readFileSync(join(ended, "journal.ndjson"), "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ seq: 4, kind: "begin", because: "lines before this one are lost" });
  });

  it("takes the file of an earlier version over with the first change, and keeps it", () => {
    const { journal: _journal, ...record } = JSON.parse(stateOf()) as Record<string, unknown>;
    writeFileSync(join(root, "session-s1.json"), JSON.stringify({ ...record, version: 2 }));
    expect(sessions.read("s1")?.loop).toEqual(loop);
    expect(sessions.list().map((each) => each.loop.sessionId)).toEqual(["s1"]);
    sessions.change("s1", (found) => (found === null ? null : { begin: null, steps: [], record: found }));
    expect(readdirSync(root)).toEqual(["some-host-s1"]);
    expect(JSON.parse(readFileSync(file("former-record.json"), "utf8"))).toMatchObject({ version: 2, loop });
    checkFold(join(root, "some-host-s1"));
  });

  it("holds one run per session: no stops are judged beside a loop, and a loop ends what was there", () => {
    const stops = {
      sessionId: "s1",
      directory: "/p",
      host: "some-host",
      criterionCount: 1,
      contract: unknownContract,
      at: 7,
    };
    const judge = (): boolean => sessions.change("s1", () => beginStops(stops), "stops");
    expect(judge()).toBe(true);
    expect([sessions.read("s1"), sessions.read("s1", "stops")?.loop.active]).toEqual([null, false]);
    expect([sessions.list().length, sessions.list("stops").length]).toEqual([0, 1]);
    begin();
    expect([sessions.read("s1")?.loop, sessions.read("s1", "stops")]).toEqual([loop, null]);
    expect(listEnded(root).length).toBe(1);
    listEnded(root).forEach(checkFold);
    expect(judge()).toBe(true);
    expect(sessions.read("s1")?.loop).toEqual(loop);
  });

  it("is kept aside whole when its state cannot be used", () => {
    begin();
    writeFileSync(file("state.json"), "{");
    expect(sessions.read("s1")).toBeNull();
    expect(readdirSync(root)).toEqual([expect.stringMatching(/^some-host-s1\.corrupt-\d+$/)]);
    expect(readdirSync(join(root, readdirSync(root)[0] ?? ""))).toEqual(["journal.ndjson", "state.json"]);
  });
});

/** The state of a loop, as it is stored; nothing of it stays. */
function stateOf(): string {
  begin();
  const text = readFileSync(file("state.json"), "utf8");
  rmSync(join(root, "some-host-s1"), { recursive: true });
  return text;
}
