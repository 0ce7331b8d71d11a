import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeHost } from "../../surfaces/hooks/claude/claude-host.ts";
import { openTools } from "./event/hook-tools.ts";
import type { HookName } from "./event/host-event.ts";
import { isUntouched } from "./untouched-session.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-untouched-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fields = { session_id: "s-1", transcript_path: "", hook_event_name: "Stop" };

function check(hook: HookName, given: { env?: Record<string, string>; prompt?: string } = {}): boolean {
  const env = { RALPH_STATE_HOME: join(folder, "state"), ...given.env };
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: 1000 };
  const tools = { ...openTools(claudeHost, options, env), tempFolder: folder };
  const event = claudeHost.read({ ...fields, cwd: folder, prompt: given.prompt ?? "Hello" }, env);
  if (event === null) throw new Error("the input was not understood");
  return isUntouched(hook, event, tools);
}

it("lets a session alone that has nothing to do with ralph (CB-17)", () => {
  expect(check("stop")).toBe(true);
  expect(check("user-prompt-submit", { prompt: "Fix /etc" })).toBe(true);
});

it("looks closer at a command, a run, a loop anywhere, a task list and criteria (R-20, R-22, S4-39)", () => {
  expect(check("user-prompt-submit", { prompt: " /ralph x" })).toBe(false);
  expect(check("stop", { env: { RALPH_RUN_ID: "r" } })).toBe(false);
  const inTheWay = ["state/sessions/session-other.json", ".ralph-active", "ralph/criteria.yaml"];
  for (const name of inTheWay) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "{}");
    expect(check("stop")).toBe(false);
    rmSync(join(folder, name));
  }
});

it("arms the alerts of a session anew all the same (S4-37)", () => {
  const file = join(folder, claudeHost.alertFileName("s-1"));
  writeFileSync(file, "90\n");
  expect(check("stop")).toBe(true);
  expect(existsSync(file)).toBe(true);
  expect(check("session-start")).toBe(true);
  expect(existsSync(file)).toBe(false);
});
