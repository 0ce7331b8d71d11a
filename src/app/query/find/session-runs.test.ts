import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { markLoop } from "../../../shell/sessions/loop-mark.ts";
import { sessionsIn, unusableSessions } from "./session-runs.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-sessions-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("names nothing where no session was ever stored", () => expect(unusableSessions(root)).toEqual([]));

it("names a loop whose folder was lost, with all others or alone, and one that lies aside", () => {
  const sessions = sessionsIn(root);
  markLoop(join(sessions, "host-s1"), "2026-11-15T12:00:00.000Z");
  expect(unusableSessions(root)).toMatchObject([{ id: "host-s1", directory: null }]);
  mkdirSync(join(sessions, "host-s2.corrupt-17"), { recursive: true });
  const [lost, aside] = unusableSessions(root).map(({ problem }) => problem);
  expect(lost).toContain(`is gone from ${join(sessions, "host-s1")}`);
  expect(aside).toContain(`is kept as ${join(sessions, "host-s2.corrupt-17")}`);
});
