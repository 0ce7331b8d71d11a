import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { patient } from "../patience.ts";
import { type Answered, copyTranscript, type HookWorld, openHookWorld } from "./built-hook.ts";

const root = join(import.meta.dirname, "..", "..");
const worlds: HookWorld[] = [];
afterEach(() => worlds.splice(0).forEach((world) => world.remove()));

function open(): HookWorld {
  const world = openHookWorld();
  worlds.push(world);
  copyTranscript(world);
  return world;
}

function compile(world: HookWorld): string[] {
  const env = { PATH: process.env["PATH"] ?? "", HOME: world.root, RALPH_STATE_HOME: world.state };
  const end = spawnSync(process.execPath, [join(root, "dist", "hook-compile.cjs")], {
    env,
    encoding: "utf8",
    timeout: patient(60_000),
  });
  expect([end.stderr, end.status]).toEqual(["", 0]);
  const [version = ""] = readdirSync(join(world.state, "compiled"));
  const folder = join(world.state, "compiled", version);
  return readdirSync(folder).map((name) => join(folder, name));
}

/** What each event of a session with a loop answers. */
function answers(world: HookWorld): string[] {
  const said: Answered[] = [
    world.run("session-start", "SessionStart-startup"),
    world.run("user-prompt-submit", "UserPromptSubmit-ralph"),
    world.run("pre-tool-use", "PreToolUse-Bash", { fields: { tool_input: { command: "rm -rf /" } } }),
    world.run("pre-tool-use", "PreToolUse-Bash"),
    world.run("post-tool-use", "PostToolUse-Edit"),
    world.run("stop", "Stop-first", { fields: { last_assistant_message: "Not yet." } }),
    world.run("session-end", "SessionEnd"),
  ];
  expect(world.log()).not.toContain("fault of its own");
  return said.map(({ exitCode, stdout, stderr }) => `${exitCode} ${stdout} ${stderr}`.replaceAll(world.root, ""));
}

describe("hooks that were compiled ahead", () => {
  it("answer as those that were not, also when what was compiled is damaged", () => {
    const plain = answers(open());
    const compiled = open();
    const files = compile(compiled);
    expect(files.length).toBeGreaterThan(2);
    expect(answers(compiled)).toEqual(plain);
    const damaged = open();
    for (const file of compile(damaged)) appendFileSync(file, "x");
    expect(answers(damaged)).toEqual(plain);
  });

  it("are parts of ASCII alone: any other character would double the memory that V8 takes for a part", () => {
    const parts = readdirSync(join(root, "dist")).filter((name) => /^hook-.*\.cjs$/.test(name));
    expect(parts).toContain("hook-stop.cjs");
    for (const part of parts) expect(readFileSync(join(root, "dist", part), "latin1")).not.toMatch(/[^\0-\x7f]/);
  });
});
