import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(world.project, path)), { recursive: true });
  writeFileSync(join(world.project, path), JSON.stringify(value));
}

function starts(): void {
  world.run("user-prompt-submit", "UserPromptSubmit", { fields: { prompt: '/ralph "Fix it" --max-iterations=5' } });
}

const shows = (...words: string[]): string => runs("show", world.sessionId, ...words);

function runs(...words: string[]): string {
  const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(world.root, "home"), RALPH_STATE_HOME: world.state };
  return spawnSync(process.execPath, [launcher, ...words], { env, encoding: "utf8" }).stdout;
}

const checkedBy = (command: string): void => {
  write(".ralph/settings.json", { guardrails: [{ command, failAction: "APPEND" }] });
  const coder = {
    promise: "DONE",
    description: "It works",
    verification_method: "external",
    verification_config: { command },
  };
  write("ralph/criteria.yaml", { outcome: "It works.", acceptance_criteria: ["it works"], coder });
};

it("says what done means for a loop in a session, check by check, as it was frozen", () => {
  checkedBy("test -f answer.txt");
  starts();
  checkedBy("true");
  const lines = [
    "the agent claims it: <promise>DONE</promise>",
    "test -f answer.txt: on a claim, from .ralph/settings.json guardrails[0]",
    "It works: on a claim, from ralph/criteria.yaml coder",
  ];
  expect(shows()).toContain(["Done means:", ...lines.map((line) => `  ${line}`)].join("\n"));
  expect(JSON.parse(shows("--json"))).toMatchObject({ doneMeans: lines });
});

it("says that nothing is checked in a project without checks", () => {
  starts();
  expect(shows()).toContain("no check is configured: completed will be unverified");
});

it("says of a loop that has ended what it was held to, with the hash of its contract", () => {
  checkedBy("test -f answer.txt");
  starts();
  write("answer.txt", 42);
  world.run("stop", "Stop-first", { fields: { last_assistant_message: "<promise>DONE</promise>" } });
  const shown = shows();
  expect(shown).toContain("completed: ");
  expect(shown).toContain(
    "test -f answer.txt; It works: on a claim, from the project, as it was frozen for the session",
  );
  expect(shown).toMatch(/contract [0-9a-f]{12}, revision 1/);
});

it("shows a loop that has ended, with its journal, from the store", () => {
  starts();
  world.run("stop", "Stop-first", { fields: { last_assistant_message: "Working." } });
  write("answer.txt", 42);
  const end = world.run("stop", "Stop-first", { fields: { last_assistant_message: "<promise>DONE</promise>" } });
  expect(end.json.systemMessage).toContain("Ralph Loop Complete!");
  const sessions = join(world.state, "sessions");
  expect(readdirSync(join(sessions, "ended"))).toHaveLength(1);
  expect(shows()).toContain("completed, unverified: Claim accepted in iteration 2: no check is configured.");
  expect(readdirSync(join(sessions, "ended"))).toEqual([]);
  const { id, kind, iteration } = JSON.parse(shows("--json")) as Record<string, unknown>;
  expect([id, kind, iteration]).toEqual([expect.stringMatching(`^${world.sessionId}-\\d+$`), "session", 2]);
  expect(runs("logs", world.sessionId)).toMatch(/a loop began[^]*turn-started[^]*turn-ended[^]*end-run/);
  expect(runs("show", String(id), "--check")).toMatch(/intact|is as it was written/);
  expect(runs("status", "--all")).toContain(`${String(id)}  completed, unverified`);
});

it.each([[["run", "-p", "x", "-m", "1", "--agent", "true"]], [["work"]]])(
  "imports a loop that has ended with the next command, also with %j",
  (words) => {
    starts();
    write("answer.txt", 42);
    world.run("stop", "Stop-first", { fields: { last_assistant_message: "<promise>DONE</promise>" } });
    const ended = join(world.state, "sessions", "ended");
    expect(readdirSync(ended)).toHaveLength(1);
    runs(...words, "-C", world.project);
    expect(readdirSync(ended)).toEqual([]);
  },
);

it("lists and shows a session without a loop whose stops are judged, and ends its run with the session", () => {
  checkedBy("test -f answer.txt");
  const stop = () => world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } });
  expect(stop().isBlocked).toBe(true);
  const status = runs("status", "--all");
  expect(status).toContain(`${world.sessionId}  in session  `);
  expect(status).toContain("  stops are judged, sent back once, last stop ");
  expect(shows()).toContain("Done means:\n  the agent stops\n  test -f answer.txt: on a claim");
  expect(shows()).not.toContain("Task:");
  write("answer.txt", 42);
  expect(stop().json.systemMessage).toBe("Verified by ralph/criteria.yaml.");
  expect(JSON.parse(shows("--json"))).toMatchObject({ kind: "session", state: "running", iteration: 2 });
  world.run("session-end", "SessionEnd");
  const ended = JSON.parse(shows("--json")) as Record<string, unknown>;
  expect(ended).toMatchObject({ reason: "The session ended; its last stop was verified.", outcome: "interrupted" });
  expect(runs("logs", world.sessionId)).toMatch(/its stops are judged[^]*gate-finished -> begin-turn[^]*end-run/);
  expect(readdirSync(join(world.state, "sessions")).filter((name) => name.startsWith("claude-code-"))).toEqual([]);
});

it("calls a stop that met only a promise not verified, in every view", () => {
  const coder = { promise: "DONE", description: "It works", verification_method: "string_match" };
  write("ralph/criteria.yaml", { outcome: "It works.", acceptance_criteria: ["it works"], coder });
  expect(world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } }).exitCode).toBe(0);
  const last = "last stop met by the stop alone, not verified";
  expect(runs("status", "--all")).toContain(`  stops are judged, sent back 0 times, ${last}`);
  expect(shows()).toContain(`stops are judged, sent back 0 times  ${last}`);
  expect(JSON.parse(shows("--json"))).toMatchObject({ kind: "session", lastStop: "unverified" });
  world.run("session-end", "SessionEnd");
  expect(shows()).toContain("The session ended; its last stop was met by the stop alone, not verified.");
  expect(shows()).not.toContain("green");
});

it("ends the run of judged stops when a loop begins in the session", () => {
  checkedBy("test -f answer.txt");
  world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } });
  starts();
  expect(shows()).toContain("in session  iteration 1/5");
  expect(runs("show", "-C", world.project)).toContain("in session  iteration 1/5");
  expect(runs("status", "--all")).toContain("A loop began in the session; its last stop was not verified.");
});
