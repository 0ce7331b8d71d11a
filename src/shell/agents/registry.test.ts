import { describe, expect, it } from "vitest";
import { claudeAdapter } from "./claude/claude-adapter.ts";
import { codexAdapter } from "./codex/codex-adapter.ts";
import { commandAdapter } from "./command/command-adapter.ts";
import { chooseAdapter } from "./registry.ts";

const list = { known: [claudeAdapter, codexAdapter], fallback: commandAdapter };

describe("chooseAdapter", () => {
  it.each([
    ["claude", "claude"],
    ["/opt/bin/claude", "claude"],
    ["C:\\tools\\codex.exe", "codex"],
    ["./node_modules/.bin/codex.cmd", "codex"],
    ["my-claude", "command"],
    ["claude.sh", "command"],
    ["", "command"],
  ])("speaks to %j as %s, by its basename (S1-30)", (command, expected) => {
    expect(chooseAdapter(command, list).name).toBe(expected);
  });
});
