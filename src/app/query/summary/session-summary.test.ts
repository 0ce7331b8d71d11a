import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeState } from "../../../shell/sessions/loop-state-files.ts";
import { sessionLine, sessionSummaries } from "./session-summary.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-status-"));
  const loop = { active: true, iteration: 3, maxIterations: 5, completionPromise: "DONE", prompt: "Fix it" };
  const options = { stateDir: join(folder, "sessions"), log: () => {} };
  const at = (hour: number): string => `2026-11-15T${hour}:00:00.000Z`;
  writeState({ ...loop, sessionId: "here", startedAt: at(12) }, { ...options, workdir: "/p" });
  writeState({ ...loop, sessionId: "there", startedAt: at(13) }, { ...options, workdir: "/q" });
  writeState({ ...loop, sessionId: "over", startedAt: at(14), active: false }, { ...options, workdir: "/p" });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("sessionSummaries", () => {
  it("are the loops of a directory that go on, or of all (S0-44)", () => {
    expect(sessionSummaries(folder, "/p", () => undefined).map(({ id }) => id)).toEqual(["here"]);
    expect(sessionSummaries(folder, null, () => undefined).map(({ id }) => id)).toEqual(["there", "here"]);
    expect(sessionSummaries(join(folder, "nowhere"), null, () => undefined)).toEqual([]);
  });

  it("have the shape of a run, and a line of their own", () => {
    const [summary] = sessionSummaries(folder, "/p", () => undefined);
    expect(summary).toMatchObject({
      id: "here",
      project: "/p",
      kind: "session",
      state: "running",
      iteration: 3,
      maxIterations: 5,
      startedAt: "2026-11-15T12:00:00.000Z",
      endedAt: null,
    });
    expect(summary && sessionLine(summary, Date.parse("2026-11-15T12:05:00Z"))).toBe(
      "here  in session  iteration 3/5  5m0s",
    );
  });
});
