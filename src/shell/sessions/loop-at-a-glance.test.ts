import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleLoop as loop } from "../../../tests/session/sample-loop.ts";
import { unknownContract } from "../../core/contract/session-checks.ts";
import { beginSession, cancelSession } from "../../core/session/session-journal.ts";
import { beginStops } from "../../core/session/stops/native-stops.ts";
import { openFileSessions } from "./file-session-store.ts";
import { isLoopAtAGlance } from "./loop-at-a-glance.ts";
import type { SessionStore } from "./session-store.ts";

const given = { directory: "/p", host: "some-host", continuationDelay: 0, criterionCount: 0, at: 7 };

let root = "";
let sessions: SessionStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-glance-"));
  const defaults = { directory: "/p", continuationDelay: 0 };
  sessions = openFileSessions({ folder: root, host: "some-host", oldFiles: [], defaults, onFault: () => undefined });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => join(root, "some-host-s1");
const state = (): string => join(folder(), "state.json");
const journal = (): string => join(folder(), "journal.ndjson");
const begin = (): unknown => sessions.change("s1", () => beginSession(loop, given));

/** What the store says, the long way. */
const isActive = (): boolean => sessions.read("s1")?.loop.active === true;

function edit(change: (text: string) => string): void {
  writeFileSync(state(), change(readFileSync(state(), "utf8")));
}

describe("a loop at a glance", () => {
  it("is seen where the store has one", () => {
    begin();
    expect(isLoopAtAGlance(folder(), "s1")).toBe(true);
    expect(isActive()).toBe(true);
  });

  it.each<[string, () => void]>([
    ["no session", () => undefined],
    [
      "a loop that was cancelled",
      () => {
        begin();
        sessions.change("s1", (record) => (record === null ? null : cancelSession(record, { at: 9, upMs: 0 })));
      },
    ],
    [
      "a run that judges stops without a loop",
      () => {
        const start = { ...given, sessionId: "s1", contract: unknownContract };
        sessions.change("s1", () => beginStops(start), "stops");
      },
    ],
    ["a loop of another session", () => (begin(), edit((text) => text.replace('"s1"', '"s2"')))],
    ["a state that is not JSON", () => (begin(), edit((text) => text.slice(0, -9)))],
    ["a state that is not an object", () => (begin(), edit(() => "[]"))],
    [
      "a loop that is switched off by hand",
      () => (begin(), edit((text) => text.replace('"active": true', '"active": false'))),
    ],
    ["a state of a newer version", () => (begin(), edit((text) => text.replace('"version": 3', '"version": 4')))],
  ])("is not seen where the store has none: %s", (_, arrange) => {
    arrange();
    expect(isLoopAtAGlance(folder(), "s1")).toBe(false);
    expect(isActive()).toBe(false);
  });

  it.each<[string, () => void]>([
    ["lines were written after the state", () => appendFileSync(journal(), '{"seq":')],
    ["lines were lost", () => truncateSync(journal(), 0)],
    ["an older version stored it", () => edit((text) => text.replace('"version": 3', '"version": 2'))],
  ])("is left to the store where %s", (_, arrange) => {
    begin();
    arrange();
    expect(isLoopAtAGlance(folder(), "s1")).toBe(false);
    expect(isActive()).toBe(true);
  });
});
