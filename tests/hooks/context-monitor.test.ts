import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyTranscript, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

/** The host records what the model was given; then the agent uses a tool. */
function use(percent: number, order: { session?: string; env?: Record<string, string> } = {}): string {
  const usage = { input_tokens: 10, cache_read_input_tokens: percent * 2000 - 20, output_tokens: 10 };
  world.says("Working.", { message: { id: `msg_${percent}`, content: [], usage } });
  return alertOf(order);
}

function alertOf({ session, env = {} }: { session?: string; env?: Record<string, string> } = {}): string {
  const fields = session === undefined ? {} : { session_id: session };
  const answered = world.run("post-tool-use", "PostToolUse-Bash", { fields, env });
  const { hookEventName = "PostToolUse", additionalContext = "" } = answered.json.hookSpecificOutput ?? {};
  expect({ ...answered, hookEventName }).toMatchObject({ exitCode: 0, stderr: "", hookEventName: "PostToolUse" });
  return additionalContext;
}

describe("the context monitor", () => {
  it("says each alert once, from the real usage of the newest answer, as additional context (S4-33, S4-38)", () => {
    expect(use(49)).toBe("");
    expect(use(52)).toContain("NOTICE: Be mindful of remaining space.");
    expect(use(53)).toBe("");
    expect(use(71)).toContain("WARNING: Finish your current task and commit soon.");
    expect(use(95)).toContain("CRITICAL: Wrap up immediately.");
    expect(use(96)).toBe("");
  });

  it("says nothing lower after a jump, and a begin of the session arms it anew, not that of another (S4-37, CW-4L, R-108)", () => {
    expect(use(40)).toBe("");
    expect(use(95)).toContain("CRITICAL");
    expect(use(55)).toBe("");
    expect(alertOf({ session: "other" })).toContain("NOTICE");
    world.run("session-start", "SessionStart-startup", { fields: { session_id: "other" } });
    expect(use(95)).toBe("");
    world.run("session-start", "SessionStart-startup");
    expect(use(95)).toContain("CRITICAL");
  });

  it("estimates by the file's size where no answer tells its usage, with the window of CLAUDE_CONTEXT_WINDOW (S4-32)", () => {
    world.write({ type: "user", message: { content: "x".repeat(40_000) } });
    expect(alertOf({ env: { CLAUDE_CONTEXT_WINDOW: "1000000" } })).toBe("");
    expect(alertOf({ env: { CLAUDE_CONTEXT_WINDOW: "0" } })).toBe("");
    expect(alertOf({ env: { CLAUDE_CONTEXT_WINDOW: "20000" } })).toContain("NOTICE");
    expect(alertOf({ env: { CLAUDE_CONTEXT_WINDOW: "20000", RALPH_CONTEXT_BYTES_PER_TOKEN: "3" } })).toContain(
      "About 66%",
    );
  });

  it("reads the recorded transcript of a real session, whose context is nearly empty (S4-32)", () => {
    copyTranscript(world);
    expect(alertOf()).toBe("");
    expect(alertOf({ env: { CLAUDE_CONTEXT_WINDOW: "1050" } })).toContain("CRITICAL");
  });

  it("counts neither helpers nor what a summary replaced", () => {
    const usage = { input_tokens: 190_000 };
    world.says("Looking.", { isSidechain: true, message: { id: "m", content: [], usage } });
    expect(alertOf()).toBe("");
    expect(use(95)).toContain("CRITICAL");
    world.write({ type: "system", subtype: "compact_boundary" });
    world.run("session-start", "SessionStart-compact");
    expect(alertOf()).toBe("");
    const inHelper = world.run("post-tool-use", "PostToolUse-Bash-in-subagent");
    expect(inHelper.stdout).toBe("");
  });

  it("keeps its file private, under a harmless name, and follows no link (CW-4L)", () => {
    use(95, { session: "../../evil id" });
    const [name = ""] = readdirSync(world.temp);
    expect(name).toBe("claude-context-alerts-______evil_id");
    expect(statSync(join(world.temp, name)).mode & 0o777).toBe(0o600);
    const target = join(world.root, "target");
    writeFileSync(target, "precious");
    symlinkSync(target, join(world.temp, "claude-context-alerts-linked"));
    expect(use(96, { session: "linked" })).toBe("");
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(lstatSync(join(world.temp, "claude-context-alerts-linked")).isSymbolicLink()).toBe(true);
  });

  it.each([
    ["no transcript", {}],
    ["input that is no JSON", { input: "{" }],
    ["input that is no object", { input: "[]" }],
    ["no input", { input: "" }],
    ["the input of nobody", { input: '{"some": "thing"}' }],
  ])("is silent with %s (S4-38)", (_, order) => {
    expect(world.run("post-tool-use", "PostToolUse-Bash", order)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("writes its own faults into a log of the state folder (S4-95)", () => {
    world.run("post-tool-use", "PostToolUse-Bash", { input: "{" });
    expect(world.log()).toContain("post-tool-use met a fault of its own");
  });
});
