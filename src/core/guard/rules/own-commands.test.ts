import { describe, expect, it } from "vitest";
import { judgeToolCall } from "../judge-tool-call.ts";
import { isHookCall } from "./own-commands.ts";

const place = {
  workTree: "/work",
  home: "/home/me",
  tempFolder: "/tmp",
  cwd: "/work",
  store: "/home/me/.local/state/ralph",
  allow: [],
  readScript: () => null,
};

describe("a call of ralph's hooks is known, whatever else the command does (R-120)", () => {
  it.each<[string, boolean]>([
    ["node /p/hooks/run.cjs session-end --host claude-code", true],
    ["cat e.json | node /p/hooks/run.cjs user-prompt-submit", true],
    ["rm -rf /; (cd /p/hooks; nodejs ./run.cjs stop <e.json)", true],
    ["bash -c 'ralph hook session-start <e.json'", true],
    ["node hooks/run.cjs", false],
    ["node /p/hooks/run.mjs session-end", false],
    ["rm -rf /", false],
    ["grep -r session-end hooks/run.cjs", false],
  ])("%s", (command, expected) =>
    expect(isHookCall(judgeToolCall({ tool: "Bash", input: { command }, place }))).toBe(expected),
  );
});
