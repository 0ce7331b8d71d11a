import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookWorld, openHookWorld, readRecorded } from "./built-hook.ts";
import { patient } from "../patience.ts";

let world: HookWorld;
let ofHook: Record<string, string>;
let ofCommand: Record<string, string>;
beforeEach(() => {
  world = openHookWorld();
  // As the real host starts each of them.
  ofCommand = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: world.sessionId, AI_AGENT: "claude-code_2-1-325_agent" };
  ofHook = { ...ofCommand, AI_AGENT: "claude-code_2-1-325_harness", CLAUDE_PROJECT_DIR: world.project };
});
afterEach(() => world.remove());

function ask(command: string): void {
  mkdirSync(join(world.project, "ralph"), { recursive: true });
  const config = { verification_method: "external", verification_config: { command } };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder: { promise: "DONE", ...config } };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
}

function types(prompt: string, env: Record<string, string>): Answered {
  return world.run("user-prompt-submit", "UserPromptSubmit", { env, fields: { prompt } });
}

function stops(words: string): Answered {
  return world.run("stop", "Stop-first", { env: ofHook, fields: { last_assistant_message: words } });
}

describe("an agent cannot speak for the host of its session", () => {
  it("by a /cancel-ralph that nobody typed: the loop continues, and people hear of it at its end", () => {
    ask("test -f answer.txt");
    expect(types('/ralph "Fix it" --max-iterations=3', ofHook).json.systemMessage).toContain("started");
    const answered = types("/cancel-ralph", ofCommand);
    expect(answered.json.hookSpecificOutput?.additionalContext).toContain("came from a command of the agent");
    expect(stops("Not yet.").isBlocked).toBe(true);
    writeFileSync(join(world.project, "answer.txt"), "42");
    const ended = stops("<promise>DONE</promise>");
    expect(ended.json.systemMessage).toContain("Ralph Loop Complete!");
    expect(ended.json.systemMessage).toContain("A user-prompt-submit event came from a command of the agent");
    expect(world.log()).toContain("A user-prompt-submit event came from a command of the agent");
  });

  it("by a session-end: the loop stays, and a person can still cancel it", () => {
    types('/ralph "Fix it" --max-iterations=3', ofHook);
    world.run("session-end", "SessionEnd", { env: ofCommand, fields: { reason: "clear" } });
    expect(stops("Not yet.").isBlocked).toBe(true);
    expect(types("/cancel-ralph", ofHook).json.systemMessage).toContain("Ralph loop cancelled");
  });

  it("by a stop with a record of its own, in which a cancel waits", () => {
    types('/ralph "Fix it" --max-iterations=3', ofHook);
    const record = join(world.root, "own.jsonl");
    const queued = { type: "queue-operation", operation: "enqueue", content: "/cancel-ralph" };
    writeFileSync(record, `${JSON.stringify({ ...queued, timestamp: new Date().toISOString() })}\n`);
    world.run("stop", "Stop-first", { env: ofCommand, fields: { transcript_path: record } });
    expect(stops("Not yet.").isBlocked).toBe(true);
  });

  it("by a process that leaves its parents and its environment behind", () => {
    ask("false");
    world.run("session-start", "SessionStart-startup", { env: ofHook });
    types('/ralph "Fix it" --max-iterations=3', ofHook);
    const common = { session_id: world.sessionId, transcript_path: world.transcript, cwd: world.project };
    const input = join(world.root, "event.json");
    writeFileSync(input, JSON.stringify({ ...readRecorded("UserPromptSubmit"), ...common, prompt: "/cancel-ralph" }));
    const program = join(import.meta.dirname, "..", "..", "bin", "ralph.js");
    const done = join(world.root, "done");
    const call = `"${process.execPath}" "${program}" hook user-prompt-submit <"${input}" >"${done}.part" 2>&1`;
    const detach = `(while kill -0 $$ 2>/dev/null; do :; done; ${call}; mv "${done}.part" "${done}") >/dev/null 2>&1 &`;
    spawnSync("sh", ["-c", detach], {
      env: { PATH: process.env["PATH"], RALPH_STATE_HOME: world.state },
      cwd: world.project,
    });
    const until = Date.now() + patient(60_000);
    while (!existsSync(done) && Date.now() < until) spawnSync("sleep", ["0.05"]);
    expect(readFileSync(done, "utf8")).toContain("came from a process outside of this session's host");
    expect(stops("Not yet.").isBlocked).toBe(true);
  });
});

describe("a host that is not known is believed", () => {
  it("when it resumes a session whose first host has ended", () => {
    types('/ralph "Fix it" --max-iterations=3', ofHook);
    const file = join(world.state, "sessions", `sender-${world.sessionId}.json`);
    const known = JSON.parse(readFileSync(file, "utf8")) as { host: { pid: number; startTime: string } };
    expect(known.host.pid).toBe(process.pid);
    writeFileSync(file, JSON.stringify({ ...known, host: { pid: process.pid, startTime: "boot:1" } }));
    expect(types("/cancel-ralph", ofHook).json.systemMessage).toContain("Ralph loop cancelled");
  });
});
