import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  world.git("init", "--quiet");
  world.git("config", "user.name", "Test");
  world.git("config", "user.email", "test@example.invalid");
  write("a.txt", "one");
  world.git("add", "--all");
  world.git("commit", "--quiet", "--message", "start");
});
afterEach(() => world.remove());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(world.project, path)), { recursive: true });
  writeFileSync(join(world.project, path), text);
}

function start(): string {
  const fields = { prompt: '/ralph "Fix it" --max-iterations=5' };
  return world.run("user-prompt-submit", "UserPromptSubmit", { fields }).json.systemMessage ?? "";
}

const claimOnly = JSON.stringify({
  outcome: "It works.",
  acceptance_criteria: ["it works"],
  coder: { promise: "READY", verification_method: "string_match", verification_config: {} },
});

/** Whether the host lets the agent stop that claims to be done. */
function isDone(): boolean {
  const fields = { last_assistant_message: "<promise>DONE</promise>" };
  return !world.run("stop", "Stop-first", { fields }).isBlocked;
}

describe("a claim in a session that nothing checks needs a change (R-16)", () => {
  it("of content: an empty commit is none", () => {
    expect(start()).toContain("Ralph loop started");
    world.git("commit", "--quiet", "--allow-empty", "--message", "empty");
    expect(isDone()).toBe(false);
    write("a.txt", "two");
    expect(isDone()).toBe(true);
  });

  it("also where a criterion only asks for the claim", () => {
    write("ralph/criteria.yaml", claimOnly);
    expect(start()).toContain("No check is configured");
    expect(isDone()).toBe(false);
    write("a.txt", "two");
    expect(isDone()).toBe(true);
  });

  it("and does not begin with such a criterion where checks are required", () => {
    write("ralph/criteria.yaml", claimOnly);
    write(".ralph/settings.json", JSON.stringify({ completion: { requireChecks: true } }));
    expect(start()).toContain("not started: no check is configured, and completion.requireChecks is true.");
  });

  it("which may be committed", () => {
    start();
    write("a.txt", "two");
    world.git("commit", "--quiet", "--all", "--message", "more");
    expect(isDone()).toBe(true);
  });
});
