import { describe, expect, it } from "vitest";
import { upgraded, version2, type Version2Parts } from "../../../../tests/replay/version-2-run.ts";
import type { UpgradedRun } from "./upgrade-run.ts";

const of = (parts: Version2Parts): UpgradedRun => upgraded(version2(parts));

describe("a run of version 2", () => {
  it("tells the next prompt what failed, under the names of today", () => {
    const [output, logFile] = [{ text: "no" }, null];
    const feedback = [
      { kind: "guardrail", index: 1, exitCode: 2, logFile, output, label: "regressed" },
      { kind: "criterion", name: "c", reason: "r", output },
      { kind: "task", text: "t" },
      { kind: "unchanged" },
    ];
    expect(of({ commands: ["a", "b"], state: { feedback } }).state.feedback).toEqual([
      { kind: "output", name: "b", exitCode: 2, logFile, output, label: "regressed" },
      { kind: "reason", name: "c", reason: "r", output },
      { kind: "note", text: "t" },
      { kind: "unchanged" },
    ]);
  });

  it("gets the settings of today by which it behaves as it did", () => {
    const { frozen } = version2();
    const settings = {
      ...(frozen["settings"] as object),
      completion: {},
      scm: { command: "git" },
      verification: { judge: {} },
    };
    expect(of({ frozen: { settings } }).frozen).toMatchObject({
      settings: {
        redact: { enabled: true, variables: [] },
        completion: { requireChecks: false },
        scm: { command: "git", hooks: true },
        verification: { judge: { tries: 2 } },
      },
    });
  });
});
