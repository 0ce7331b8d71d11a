import { describe, expect, it } from "vitest";
import { parseRunRecord, runRecordFields, type SupervisedRun, unknownRun } from "./run-record.ts";

const run: SupervisedRun = {
  ...unknownRun("20261115-2043551230-421-7"),
  parentRunId: "20261115-2043550000-1-1",
  projectId: "shop",
  taskId: "task-001",
  agent: "helper",
  pid: 421,
  pgid: 421,
  processStart: "boot:77",
  startedAt: Date.UTC(2026, 10, 15, 20, 43, 55, 123),
  status: "running",
  commandline: "helper --fast",
};

describe("a record of a supervised run", () => {
  it("comes back as it was written, with the fields of others (R-99)", () => {
    const fields = { ...runRecordFields(run, { queue: ["a"] }) };
    expect(parseRunRecord(fields)).toEqual({ isRead: true, run, foreign: { queue: ["a"] } });
    const ended: SupervisedRun = { ...run, endedAt: run.startedAt + 5, exitCode: 0, status: "stopped" };
    expect(parseRunRecord(runRecordFields(ended, {}))).toMatchObject({ run: ended });
  });

  it("has the names and the zero time other tools know", () => {
    expect(runRecordFields(run, {})).toMatchObject({
      version: 1,
      run_id: run.runId,
      start_time: "2026-11-15T20:43:55.123Z",
      end_time: "0001-01-01T00:00:00Z",
      exit_code: -1,
      process_ownership: "managed",
    });
  });

  it.each([
    [null, "broken"],
    ["half", "broken"],
    [[], "broken"],
    [{ version: 1 }, "broken"],
    [{ version: "x", run_id: "r" }, "broken"],
    [{ version: 2, run_id: "r" }, "newer-version"],
  ])("is refused in row %# (R-99)", (value, problem) => {
    expect(parseRunRecord(value)).toMatchObject({ isRead: false, problem });
  });

  it("of wrong types is read as far as it goes", () => {
    const reading = parseRunRecord({ run_id: "r", pid: "x", pgid: 1.5, status: "dreaming", start_time: "soon" });
    expect(reading).toEqual({ isRead: true, run: unknownRun("r"), foreign: {} });
  });
});
