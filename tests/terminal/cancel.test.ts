import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readState, writeState } from "../../src/shell/sessions/loop-state-files.ts";
import { launcher, openProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal } from "./open-terminal.ts";

describe.skipIf(!hasTmux)("cancel in a terminal with several loops", () => {
  it.each([
    ["2", 0, [true, false]],
    ["", 2, [true, true]],
  ])("asks which one; %j ends with %d (R-43)", async (reply, code, expected) => {
    const project = openProject();
    const options = { stateDir: join(project.root, "state", "sessions"), workdir: project.directory, log: () => {} };
    mkdirSync(options.stateDir, { recursive: true });
    const loop = { active: true, iteration: 2, maxIterations: 5, completionPromise: "DONE", prompt: "Fix it" };
    writeState({ ...loop, sessionId: "s1", startedAt: "2026-11-15T13:00:00.000Z" }, options);
    writeState({ ...loop, sessionId: "s2", startedAt: "2026-11-15T12:00:00.000Z" }, options);
    const terminal = openTerminal({
      folder: project.root,
      cwd: project.directory,
      argv: [process.execPath, launcher, "cancel"],
      env: {
        PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: join(project.root, "home"),
        RALPH_STATE_HOME: join(project.root, "state"),
      },
      columns: 120,
    });
    await terminal.answer("Which one to cancel? (1-2): ", reply);
    expect(await terminal.exitCode()).toBe(code);
    expect(["s1", "s2"].map((id) => readState(id, options) !== null)).toEqual(expected);
  });
});
