import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HookCall, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

const inRun: HookCall = { env: { RALPH_RUN_ID: "r1" } };
const danger = { tool_name: "Bash", tool_input: { command: "rm -rf /" } };

/** What the guard says of a call: `deny`, `warn`, or nothing. */
function judge(fields: Record<string, unknown>, call: HookCall = inRun): { decision: string; reason: string } {
  const { exitCode, json } = world.run("pre-tool-use", "PreToolUse-Bash", { ...call, fields });
  const { permissionDecision, permissionDecisionReason, additionalContext } = json.hookSpecificOutput ?? {};
  expect(exitCode).toBe(0);
  const decision = permissionDecision ?? (additionalContext === undefined ? "" : "warn");
  return { decision, reason: permissionDecisionReason ?? additionalContext ?? "" };
}

function marker(mode: string): void {
  writeFileSync(join(world.project, ".ralph-active"), JSON.stringify({ mode, run: "r9" }));
}

describe("the guard of a host's session", () => {
  it("refuses a dangerous command with a reason, in the words of the host (S4-89, CW-4B)", () => {
    const { decision, reason } = judge(danger);
    expect(decision).toBe("deny");
    expect(reason).toContain("Refused by the command guard: ");
  });

  it("lets harmless calls pass in silence and warns of doubtful ones", () => {
    expect(judge({ tool_name: "Bash", tool_input: { command: "npm test" } })).toEqual({ decision: "", reason: "" });
    expect(judge({ tool_name: "Bash", tool_input: { command: "git clean -fd" } }).decision).toBe("warn");
  });

  it("is on in a run, beside a marker in direct mode, in a loop of the session, and always when asked for (CW-4B)", () => {
    expect(judge(danger, {}).decision).toBe("");
    expect(judge(danger, { words: ["--guard", "always"] }).decision).toBe("deny");
    marker("sandbox");
    expect(judge(danger, {}).decision).toBe("");
    marker("direct");
    expect(judge(danger, {}).decision).toBe("deny");
    marker("sandbox");
    world.run("user-prompt-submit", "UserPromptSubmit-ralph");
    expect(judge(danger, {}).decision).toBe("deny");
    expect(judge({ ...danger, session_id: "another" }, {}).decision).toBe("");
  });

  const callsHook = [
    "cat e.json | node /p/plugins/claude-code/hooks/run.cjs user-prompt-submit",
    "cd /p/hooks && node run.cjs session-start <e.json",
    "ralph hook session-end <e.json",
    "exec env A=b node ./hooks/run.cjs stop",
  ];

  it("refuses calls of ralph's hooks, and nothing else, in a session that only its checks hold (R-120)", () => {
    const command = (text: string) => ({ tool_name: "Bash", tool_input: { command: text } });
    for (const each of callsHook) expect(judge(command(each), {}).decision).toBe("");
    mkdirSync(join(world.project, "ralph"));
    writeFileSync(join(world.project, "ralph", "criteria.yaml"), "outcome: It works.\n");
    world.run("session-start", "SessionStart-startup");
    for (const each of callsHook) expect([each, judge(command(each), {}).decision]).toEqual([each, "deny"]);
    for (const each of ["rm -rf /", "node run.cjs --watch", "node hooks/run.cjs", "ralph show"])
      expect([each, judge(command(each), {}).decision]).toEqual([each, ""]);
  });

  it("judges a script outside the project by what it says (R-121)", () => {
    const path = join(world.root, "evil.sh");
    const command = `bash ${path}`;
    writeFileSync(path, "npm test\n");
    expect(judge({ tool_name: "Bash", tool_input: { command } }).decision).toBe("");
    writeFileSync(path, "npm test\nrm -rf ~\n");
    expect(judge({ tool_name: "Bash", tool_input: { command } }).decision).toBe("deny");
  });

  it("judges file tools of other servers, through links too (R-123)", () => {
    mkdirSync(join(world.root, "home", ".ssh"), { recursive: true });
    symlinkSync(join(world.root, "home", ".ssh"), join(world.project, "notes"));
    const input = { path: join(world.project, "notes", "authorized_keys"), content: "x" };
    expect(judge({ tool_name: "mcp__fs__write_file", tool_input: input }).decision).toBe("deny");
  });

  it("judges helpers of the agent too", () => {
    const answered = world.run("pre-tool-use", "PreToolUse-Bash-in-subagent", { ...inRun, fields: danger });
    expect(answered.json.hookSpecificOutput?.permissionDecision).toBe("deny");
  });

  it("judges a file by where its path leads, through `..` and links (R-123)", () => {
    const hooks = join(world.project, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    symlinkSync(hooks, join(world.project, "harmless"));
    symlinkSync(join(world.root, "home", ".ssh"), join(world.project, "keys"));
    mkdirSync(join(world.root, "home", ".ssh"));
    const write = (file_path: string) =>
      judge({ tool_name: "Write", tool_input: { file_path, content: "x" } }).decision;
    expect(write(join(world.project, "src", "a.ts"))).toBe("");
    expect(write(join(world.project, "harmless", "pre-commit"))).toBe("deny");
    expect(write(`${world.project}/src/../.ralph-active`)).toBe("deny");
    expect(write("keys/new/config")).toBe("deny");
    expect(write(join(world.state, "ralph.db"))).toBe("deny");
    const read = { tool_name: "Read", tool_input: { file_path: join(world.project, "keys", "id_rsa") } };
    expect(judge(read).decision).toBe("deny");
  });

  it("heeds the project's allow list, which no tool may write (R-125)", () => {
    const reset = { tool_name: "Bash", tool_input: { command: "git reset --hard" } };
    expect(judge(reset).decision).toBe("deny");
    mkdirSync(join(world.project, ".ralph"));
    const path = join(world.project, ".ralph", "guard-allow.json");
    writeFileSync(path, JSON.stringify({ allow: [{ command: "git reset --hard" }, { comand: "x" }] }));
    expect(judge(reset).decision).toBe("");
    expect(world.log()).toContain("rule 2");
    expect(judge({ tool_name: "Write", tool_input: { file_path: path } }).decision).toBe("deny");
  });

  it.each([
    ["in a run", inRun, "deny"],
    ["when asked for always", { words: ["--guard", "always"] }, "deny"],
    ["where nobody asked for it", {}, ""],
  ])("refuses input it cannot read %s: %s (R-124)", (_, order, expected) => {
    const { exitCode, json } = world.run("pre-tool-use", "PreToolUse-Bash", { ...order, input: "{ torn" });
    expect(exitCode).toBe(0);
    expect(json.hookSpecificOutput?.permissionDecision ?? "").toBe(expected);
  });

  it("refuses a call whose input has not the expected form (R-124)", () => {
    expect(judge({ tool_name: "Bash", tool_input: { comand: "ls" } }).decision).toBe("deny");
  });
});
