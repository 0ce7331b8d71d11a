import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
let frozen: string;
beforeEach(() => {
  world = openHookWorld();
  frozen = join(world.state, "sessions", `criteria-${world.sessionId}.json`);
});
afterEach(() => world.remove());

function ask(command: string): void {
  mkdirSync(join(world.project, "ralph"), { recursive: true });
  const config = { verification_method: "external", verification_config: { command } };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder: { promise: "DONE", ...config } };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
}

/** Puts another command into what was frozen. */
function swap(): void {
  const kept = readFileSync(frozen, "utf8");
  writeFileSync(frozen, kept.replaceAll(String.raw`\"command\":\"false\"`, String.raw`\"command\":\"true\"`));
  expect(readFileSync(frozen, "utf8")).not.toBe(kept);
}

const stops = (): Answered => world.claims();

describe("frozen checks of a living loop", () => {
  it("are never frozen anew: without their file the claim is refused with its path", () => {
    ask("false");
    world.startsLoop();
    rmSync(frozen);
    ask("true");
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining(`${frozen} is gone`)]);
    expect(existsSync(frozen)).toBe(false);
  });

  it("are those the loop began with: others in their file do not count, and the claim is refused", () => {
    ask("false");
    world.startsLoop();
    swap();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining("were changed since")]);
  });

  it("bind stops without a loop, too, from the first judged stop on", () => {
    ask("false");
    expect(stops().isBlocked).toBe(true);
    swap();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining("were changed since")]);
  });

  it("of a session that begins afresh are its own", () => {
    ask("false");
    expect(stops().isBlocked).toBe(true);
    ask("true");
    const fields = { session_id: "another", last_assistant_message: "Done." };
    world.run("session-start", "SessionStart-startup", { fields });
    writeFileSync(join(world.project, "answer.txt"), "42");
    expect(world.run("stop", "Stop-first", { fields }).isBlocked).toBe(false);
  });

  it("are not taken away by an edit of the loop's state: a claim needs the journal that leads to it", () => {
    ask("false");
    world.startsLoop();
    const path = join(world.state, "sessions", `claude-code-${world.sessionId}`, "state.json");
    const state = JSON.parse(readFileSync(path, "utf8")) as { run: { policy: { gates: unknown[] }; slots: unknown } };
    state.run.policy.gates = [];
    state.run.slots = {};
    writeFileSync(path, JSON.stringify(state));
    const { exitCode, stdout } = stops();
    expect([exitCode, stdout]).toEqual([2, expect.not.stringContaining("Complete") as string]);
    const names = readdirSync(join(world.state, "sessions"));
    expect(names.some((name) => name.startsWith(`claude-code-${world.sessionId}.corrupt-`))).toBe(true);
  });

  it("outlive a begin of their session", () => {
    ask("false");
    world.startsLoop();
    ask("true");
    world.run("session-start", "SessionStart-startup");
    expect(stops().isBlocked).toBe(true);
  });

  it("are missed where there are none, too: nobody can tell what changed since the loop began", () => {
    world.git("init", "--quiet");
    world.startsLoop();
    rmSync(frozen);
    expect(stops().isBlocked).toBe(true);
  });
});

describe("a stop in another folder than the session's project", () => {
  const stopsIn = (cwd: string): Answered => {
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "f.txt"), "good");
    const words = "<promise>DONE</promise>";
    world.says(words);
    return world.run("stop", "Stop-first", { fields: { last_assistant_message: words, cwd } });
  };

  it.each(["below", "outside"])("of a loop is held to the project's guardrails: %s", (where) => {
    mkdirSync(join(world.project, ".ralph"), { recursive: true });
    const guardrails = [{ command: "grep -q good f.txt", failAction: "APPEND" }];
    writeFileSync(join(world.project, ".ralph", "settings.json"), JSON.stringify({ guardrails }));
    world.startsLoop();
    expect(stopsIn(where === "below" ? join(world.project, "sub") : join(world.root, "other")).isBlocked).toBe(true);
  });

  it.each(["below", "outside"])("of no loop is held to the project's criteria: %s", (where) => {
    ask("grep -q good f.txt");
    world.run("session-start", "SessionStart-startup");
    writeFileSync(join(world.project, "change.txt"), "");
    expect(stopsIn(where === "below" ? join(world.project, "sub") : join(world.root, "other")).isBlocked).toBe(true);
  });
});
