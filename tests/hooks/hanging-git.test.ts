import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookWorld, openHookWorld } from "./built-hook.ts";
import { patient } from "../patience.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  world.git("init", "--quiet");
  writeFileSync(join(world.project, "f.txt"), "base\n");
  world.git("add", "--all");
  world.git("commit", "--quiet", "--message", "base");
});
afterEach(() => world.remove());

function addCriterion(): void {
  mkdirSync(join(world.project, "ralph"));
  const config = { verification_method: "external", verification_config: { command: "true" } };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder: { promise: "DONE", ...config } };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
}

/** The agent stops with a claim; the host leaves eight seconds. */
const stops = (): Answered => world.claims(["--timeout", "8"]);

/** Whoever reads the patterns waits for somebody to write them. */
function hangGit(): string {
  const path = join(world.project, ".gitignore");
  execFileSync("mkfifo", [path]);
  return path;
}

/** A pipe can be opened for writing at once only while somebody reads it, or waits to. */
function isAwaited(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

describe("a hook whose git hangs answers within the time of its host", () => {
  it.each(["loop", "native stop"])("by blocking the %s, and leaves neither a process nor a folder", (kind) => {
    addCriterion();
    if (kind === "loop") world.startsLoop();
    const pipe = hangGit();
    const began = Date.now();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining("verification did not finish")]);
    // The host's eight seconds, and what a loaded machine needs to start and end processes.
    expect(Date.now() - began).toBeLessThan(patient(30_000));
    expect(isAwaited(pipe)).toBe(false);
    expect(readdirSync(world.temp).filter((name) => name.startsWith("ralph-git-"))).toEqual([]);
  });

  it("by refusing a claim without checks when nobody can tell whether anything changed", () => {
    world.startsLoop();
    hangGit();
    const { isBlocked, said } = stops();
    expect([isBlocked, said]).toEqual([true, expect.stringContaining("Ralph: iteration 2 of 3,")]);
  });
});

describe("a hook whose log is a pipe", () => {
  it("answers without it", () => {
    mkdirSync(world.state, { recursive: true });
    rmSync(join(world.state, "hooks.log"), { force: true });
    execFileSync("mkfifo", [join(world.state, "hooks.log")]);
    expect(world.run("stop", "Stop-first", { input: "no JSON" }).exitCode).toBe(0);
  });
});
