import { describe, expect, it } from "vitest";
import { guardOf } from "../../prd/folder/guard-of.ts";
import { claudeAdapter } from "./claude-adapter.ts";
import { claudeHookFlags } from "./claude-hooks.ts";

describe("claudeHookFlags", () => {
  it("hands guard, monitor and stop checks to one session, by argv and not by a shell (CW-4B, S4-95)", () => {
    const [flag, text = ""] = claudeHookFlags(["/usr/bin/node", "/a b/hook.cjs"], ["--model", "x"], "list") ?? [];
    const { hooks } = JSON.parse(text) as { hooks: Record<string, [{ hooks: [{ command: string; args: string[] }] }]> };
    expect(flag).toBe("--settings");
    const called = Object.entries(hooks).map(([event, [entry]]) => [event, ...entry.hooks[0].args.slice(0, 2)]);
    expect(called).toEqual([
      ["SessionStart", "/a b/hook.cjs", "session-start"],
      ["PreToolUse", "/a b/hook.cjs", "pre-tool-use"],
      ["PostToolUse", "/a b/hook.cjs", "post-tool-use"],
      ["Stop", "/a b/hook.cjs", "stop"],
    ]);
  });

  it("hands a run without a task list the guard alone, for every hook costs a process (CW-4B)", () => {
    const [, text = ""] = claudeHookFlags(["node", "hook.cjs"], [], "run") ?? [];
    expect(Object.keys((JSON.parse(text) as { hooks: object }).hooks)).toEqual(["PreToolUse"]);
  });

  it.each([[["--settings", "{}"]], [["--settings={}"]], [["--bare"]], [["--safe-mode"]]])(
    "hands over nothing where %j rules it out, so that the agent counts as unguarded (CW-4B)",
    (flags) => {
      expect(claudeHookFlags(["node", "hook.cjs"], flags, "run")).toBeNull();
      expect(guardOf(claudeAdapter, { flags, env: {} }, "run")).toEqual({ isActive: false, flags: [], env: {} });
    },
  );

  it("is no guard of an agent without hooks (CW-4B)", () => {
    expect(guardOf({}, { flags: [], env: {} }, "run")).toEqual({ isActive: false, flags: [], env: {} });
  });
});
